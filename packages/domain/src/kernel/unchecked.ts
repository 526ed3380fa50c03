import type { Schema } from "effect"

/**
 * Makes objects of a class without reading their fields once more: for what is made of many at once, of values that were checked when they
 * came in. The fields are the values that are given, so whatever is not immutable must have been made for this object alone.
 */
export const unchecked =
  <Class extends { readonly fields: Schema.Struct.Fields; readonly prototype: object }>({ prototype }: Class) =>
  (fields: Schema.Struct.Type<Class["fields"]>): Class["prototype"] =>
    Object.assign(Object.create(prototype), fields)

/** Makes objects of a class that differ from one of it in a few fields, which were checked when they came in. */
export const uncheckedChange =
  <Class extends { readonly fields: Schema.Struct.Fields; readonly prototype: object }>({ prototype }: Class) =>
  (before: Class["prototype"], change: Partial<Schema.Struct.Type<Class["fields"]>>): Class["prototype"] =>
    Object.assign(Object.create(prototype), before, change)
