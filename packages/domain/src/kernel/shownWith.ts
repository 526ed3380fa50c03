import { type Schema, SchemaAST } from "effect"
import { type Actor, holds } from "./CurrentActor.ts"
import type { Permission } from "./Permission.ts"

/** The annotation that names the permissions. It is also the keyword in the OpenAPI document. */
export const shownWithKeyword = "x-shown-with"

/** Narrows the permissions of a field by its parent object, as JSON. */
type Narrowing = (parent: Readonly<Record<string, unknown>>) => ReadonlyArray<Permission>

const narrowingKeyword = "x-shown-with-narrowing"

/** All of these permissions are necessary to see a value. */
export interface ShownWith {
  readonly permissions: ReadonlyArray<Permission>
  readonly narrowing: Narrowing | null
}

/** Calls that change or export data also return it. */
const alsoShownWith: Readonly<Partial<Record<Permission, ReadonlyArray<Permission>>>> = {
  "contacts.read": ["contacts.manage", "contacts.export"],
  "conversations.read": ["conversations.manage"]
}

/** The permissions that show what this permission shows, itself included. */
export const permissionsThatShow = (permission: Permission): ReadonlyArray<Permission> => [
  permission,
  ...(alsoShownWith[permission] ?? [])
]

/** Whether the actor sees what this permission shows. */
export const isShown = (actor: Actor, permission: Permission): boolean =>
  holds(actor, permission) || alsoShownWith[permission]?.some((other) => holds(actor, other)) === true

const emptyValue = (ast: SchemaAST.AST): string => (SchemaAST.isArrays(ast) ? "Empty" : "Null")

const describe = ({ ast }: Schema.Top, permissions: ReadonlyArray<Permission>): string => {
  const names = permissions.map((permission) => `\`${permission}\``).join(" and ")
  const before = ast.context?.annotations?.description
  return `${before === undefined ? "" : `${before} `}${emptyValue(ast)} without ${names}.`
}

/**
 * Annotates a field with a contact's data. Callers without one of the permissions get `null`, or an empty list, in place of the value.
 * The field must allow that wherever the permission of the endpoint does not imply these permissions.
 */
export const shownWith =
  (...permissions: readonly [Permission, ...ReadonlyArray<Permission>]) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    schema.annotateKey({ description: describe(schema, permissions), [shownWithKeyword]: permissions })

/** As `shownWith`, where the parent object decides which of the permissions a value needs. */
export const shownWithSome =
  (permissions: readonly [Permission, ...ReadonlyArray<Permission>], narrowing: Narrowing) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    schema.annotateKey({ [shownWithKeyword]: permissions, [narrowingKeyword]: narrowing })

/**
 * The annotation of an object that is a contact's data as a whole. Callers without one of the permissions get `null` in its place, and
 * lists without it.
 */
export const wholeShownWith = (...permissions: readonly [Permission, ...ReadonlyArray<Permission>]) => ({
  [shownWithKeyword]: permissions
})

const readAnnotation = (annotations: Schema.Annotations.Annotations | undefined): ShownWith | null => {
  const permissions = annotations?.[shownWithKeyword] as ReadonlyArray<Permission> | undefined
  if (permissions === undefined) return null
  return { permissions, narrowing: (annotations?.[narrowingKeyword] as Narrowing | undefined) ?? null }
}

/** The permissions that a field needs, of its key. */
export const shownWithOfKey = ({ context }: SchemaAST.AST): ShownWith | null => readAnnotation(context?.annotations)

/** The permissions that an object needs as a whole. */
export const shownWithOfWhole = (ast: SchemaAST.AST): ShownWith | null =>
  readAnnotation((ast.checks?.at(-1) ?? ast).annotations)
