; Besides c.scm.

(class_specifier name: (_) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.module
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type
(field_declaration declarator: (function_declarator) @declarator) @definition.function
(field_declaration declarator: (pointer_declarator (function_declarator)) @declarator) @definition.function
(field_declaration declarator: (reference_declarator (function_declarator)) @declarator) @definition.function

(template_declaration) @wrap.header
