; Captures are explained in ../syntax/outline.py.

(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum

(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.method
(compact_constructor_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method

(field_declaration
  (modifiers) @modifiers
  declarator: (variable_declarator name: (_) @name)
  (#match? @modifiers "\\bstatic\\b")
  (#match? @modifiers "\\bfinal\\b")) @definition.constant
(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.constant

(line_comment) @lead
(block_comment) @lead

(import_declaration) @import
