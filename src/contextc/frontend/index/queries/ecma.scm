; What JavaScript and TypeScript share. Captures are explained in ../syntax/outline.py.

(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.method

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class

; Names of the module. A `require` is an import, not a definition.
(program (lexical_declaration
  (variable_declarator name: (identifier) @name value: (_) @value) @definition.constant
  (#not-match? @value "^(await\\s+import|require)\\s*\\(")))
(program (variable_declaration
  (variable_declarator name: (identifier) @name value: (_) @value) @definition.constant
  (#not-match? @value "^require\\s*\\(")))
(program (export_statement declaration: (lexical_declaration
  (variable_declarator name: (identifier) @name) @definition.constant)))
(program (export_statement declaration: (variable_declaration
  (variable_declarator name: (identifier) @name) @definition.constant)))

; What a module exports without a name.
(export_statement "default" @name
  value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(export_statement "default" @name value: (class body: (_) @body)) @definition.class
(export_statement "default" @name value: [(object) (call_expression)]) @definition.constant

; Store.prototype.open = function () {}, exports.open = () => {}
(assignment_expression
  left: (member_expression object: (_) @scope property: (_) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(assignment_expression
  left: (identifier) @name
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.function

; Functions in an object that has a name. Those in objects handed to a call are nobody's to find.
(variable_declarator value: (object (pair
  key: (_) @name
  value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method))
(assignment_expression right: (object (pair
  key: (_) @name
  value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method))
(export_statement value: (object (pair
  key: (_) @name
  value: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method))

(export_statement declaration: (_)) @wrap
(comment) @lead
(decorator) @lead

(import_statement) @import
(export_statement source: (string)) @import
(call_expression
  function: (import)
  arguments: (arguments . (string))) @import
(call_expression
  function: (identifier) @call
  arguments: (arguments . (string))
  (#eq? @call "require")) @import
(variable_declarator
  name: (object_pattern)
  value: (call_expression
    function: (identifier) @call
    arguments: (arguments . (string)))
  (#eq? @call "require")) @import
