; Besides ecma.scm.

(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(module name: (_) @name body: (_)) @definition.module
(internal_module name: (_) @name) @definition.module

(function_signature name: (_) @name) @definition.function
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method

(public_field_definition
  name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(public_field_definition "static" name: (_) @name) @definition.constant

(statement_block (export_statement declaration: (lexical_declaration
  (variable_declarator name: (identifier) @name) @definition.constant)))
(ambient_declaration (lexical_declaration
  (variable_declarator name: (identifier) @name) @definition.constant))
(ambient_declaration (variable_declaration
  (variable_declarator name: (identifier) @name) @definition.constant))
