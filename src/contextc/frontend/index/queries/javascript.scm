; Besides ecma.scm.

(field_definition
  property: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition "static" property: (_) @name) @definition.constant
