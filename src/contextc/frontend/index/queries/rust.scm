; Captures are explained in ../syntax/outline.py.

(struct_item name: (_) @name) @definition.class
(union_item name: (_) @name) @definition.class
(enum_item name: (_) @name) @definition.enum
(trait_item name: (_) @name) @definition.interface
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(mod_item name: (_) @name body: (_)) @definition.module
(macro_definition name: (_) @name) @definition.macro

; An implementation is a part of its type: what stands in it belongs to the type.
(impl_item type: (_) @name body: (_)) @definition.class

(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant

(line_comment) @lead
(block_comment) @lead
(attribute_item) @lead

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
