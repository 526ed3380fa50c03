import { type Schema, SchemaAST } from "effect"
import { type Actor, hasPermission } from "./CurrentActor.ts"
import type { Permission } from "./Permission.ts"

/** Annotation with the permissions of a value. It is also the keyword in the OpenAPI document. */
export const shownWithKeyword = "x-shown-with"

/** Selects the permissions of a field by its parent object, as JSON. */
type PermissionSelector = (parent: Readonly<Record<string, unknown>>) => ReadonlyArray<Permission>

const narrowingKeyword = "x-shown-with-narrowing"

/** A value is visible only with all of these permissions. */
export interface ShownWith {
  readonly permissions: ReadonlyArray<Permission>
  readonly narrowing: PermissionSelector | null
}

/** Change and export permissions also show the data. */
const broaderPermissions: Readonly<Partial<Record<Permission, ReadonlyArray<Permission>>>> = {
  "contacts.read": ["contacts.manage", "contacts.export"],
  "conversations.read": ["conversations.manage"]
}

/** Permissions that show the same data, including this one. */
export const viewPermissions = (permission: Permission): ReadonlyArray<Permission> => [
  permission,
  ...(broaderPermissions[permission] ?? [])
]

/** Whether the actor sees what this permission shows. */
export const canView = (actor: Actor, permission: Permission): boolean =>
  hasPermission(actor, permission) ||
  broaderPermissions[permission]?.some((other) => hasPermission(actor, other)) === true

const emptyValue = (ast: SchemaAST.AST): string => (SchemaAST.isArrays(ast) ? "Empty" : "Null")

const describe = ({ ast }: Schema.Top, permissions: ReadonlyArray<Permission>): string => {
  const names = permissions.map((permission) => `\`${permission}\``).join(" and ")
  const before = ast.context?.annotations?.description
  return `${before === undefined ? "" : `${before} `}${emptyValue(ast)} without ${names}.`
}

/**
 * Annotates a field with contact data. Callers without a required permission get `null` or an empty list. The field must allow that value unless the
 * endpoint permission implies these permissions.
 */
export const shownWith =
  (...permissions: readonly [Permission, ...ReadonlyArray<Permission>]) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    schema.annotateKey({ description: describe(schema, permissions), [shownWithKeyword]: permissions })

/** Like `shownWith`, but the parent object selects the required permissions. */
export const shownWithSelected =
  (permissions: readonly [Permission, ...ReadonlyArray<Permission>], narrowing: PermissionSelector) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    schema.annotateKey({ [shownWithKeyword]: permissions, [narrowingKeyword]: narrowing })

/** Annotates an object that is contact data as a whole. Callers without a required permission get `null`, and lists without the object. */
export const objectShownWith = (...permissions: readonly [Permission, ...ReadonlyArray<Permission>]) => ({
  [shownWithKeyword]: permissions
})

const readAnnotation = (annotations: Schema.Annotations.Annotations | undefined): ShownWith | null => {
  const permissions = annotations?.[shownWithKeyword] as ReadonlyArray<Permission> | undefined
  if (permissions === undefined) return null
  return { permissions, narrowing: (annotations?.[narrowingKeyword] as PermissionSelector | undefined) ?? null }
}

/** Permissions of a field, from its key. */
export const findKeyShownWith = ({ context }: SchemaAST.AST): ShownWith | null => readAnnotation(context?.annotations)

/** Permissions of an object as a whole. */
export const findObjectShownWith = (ast: SchemaAST.AST): ShownWith | null =>
  readAnnotation((ast.checks?.at(-1) ?? ast).annotations)
