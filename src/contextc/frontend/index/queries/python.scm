; Captures are explained in ../syntax/outline.py.

(class_definition name: (identifier) @name ":" @end) @definition.class
(function_definition name: (identifier) @name ":" @end) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type

; Names bound to a value where others can see them: in the module and in a class.
(module (expression_statement (assignment left: (identifier) @name) @definition.constant))
(class_definition
  body: (block (expression_statement (assignment left: (identifier) @name) @definition.constant)))

(decorated_definition) @wrap
(comment) @lead

(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
