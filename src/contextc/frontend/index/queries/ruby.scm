; Captures are explained in ../syntax/outline.py.

(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.constant
(call
  method: (identifier) @call
  arguments: (argument_list (simple_symbol) @name)
  (#match? @call "^attr_(reader|writer|accessor)$")) @definition.method

(comment) @lead

(call
  !receiver
  method: (identifier) @call
  arguments: (argument_list (string))
  (#match? @call "^(require|require_relative|load|autoload)$")) @import
