; What C and C++ share. Captures are explained in ../syntax/outline.py.

(function_definition declarator: (_) @declarator) @definition.function
; A prototype is a function, the rest are names bound in the file; which it is, the declarator tells.
(declaration declarator: (_) @declarator) @definition.constant
(type_definition declarator: (_) @declarator) @definition.type

(struct_specifier name: (_) @name body: (_)) @definition.class
(union_specifier name: (_) @name body: (_)) @definition.class
(enum_specifier name: (_) @name body: (_)) @definition.enum

; Without a value it is a guard or a switch.
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

(comment) @lead

(preproc_include) @import
