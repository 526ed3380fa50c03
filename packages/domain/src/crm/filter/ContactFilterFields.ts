import { Context, DateTime, Effect, Layer, Predicate, Schema } from "effect"
import { type Permission, type Tenancy, type TenantScoped, withContext } from "../../kernel/index.ts"
import { FilterField, filterOperators, type OperatorReaders } from "./conditionOperators.ts"

/** Type of the values of a filter field. `ids` names resources in a list, `purchase` is an object with products and days. */
export const FilterValueType = Schema.Literals([
  "text",
  "boolean",
  "integer",
  "number",
  "date",
  "time",
  "choice",
  "money",
  "id",
  "ids",
  "purchase"
])
export type FilterValueType = typeof FilterValueType.Type

/** Filter field that another area adds from its data about contacts. */
export interface AreaFilterField {
  /** Name in filters. */
  readonly name: string
  /** Permission to filter by this field, because each answer reveals part of its value. */
  readonly permission: Permission
  /** Returns the readers of its conditions at this time. */
  readonly operators: (now: DateTime.Utc) => OperatorReaders
  /** Name of the resource that its values reference by id, for errors about missing ones; `null` without references. */
  readonly names: string | null
  /** Field of its values that lists these ids. Without it, the values are such lists. */
  readonly namedAt?: string
  /** Whether its conditions have a key. The area that adds the field validates the key. */
  readonly takesKey?: true
}

/** Filter field of contacts, with the type of its values. */
export interface TypedFilterField extends AreaFilterField {
  readonly type: FilterValueType
  /** Allowed values of the type `choice`. */
  readonly choices?: ReadonlyArray<string>
}

/** Filter field with its conditions and its lookup of ids. */
export interface ContactFilterField<Condition extends string, R> extends TypedFilterField {
  /** Conditions that its filters use. Each storage adapter implements all of them. */
  readonly conditions: ReadonlyArray<Condition>
  /** Returns the existing ids among these. */
  readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, never, R>
}

type AnyField = ContactFilterField<string, unknown>

type FieldServices<Field> = Field extends ContactFilterField<string, infer R> ? Exclude<R, Tenancy> : never

export const defineFilterField = <const Condition extends string, R>(
  field: ContactFilterField<Condition, R>
): ContactFilterField<Condition, R> => field

/** Filter fields that other areas add. */
export class ContactFilterFields extends Context.Service<
  ContactFilterFields,
  TenantScoped<{
    readonly all: () => Effect.Effect<ReadonlyArray<TypedFilterField>>
    /** Returns the existing ids among the ids in filters, by field. */
    readonly find: (
      named: ReadonlyMap<string, ReadonlyArray<string>>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlySet<string>>>
  }>
>()("@parley/domain/crm/ContactFilterFields") {}

/** Combines the filter fields of the areas. */
export const layerContactFilterFieldsOf = <Field extends AnyField>(
  fields: ReadonlyArray<Field>
): Layer.Layer<ContactFilterFields, never, FieldServices<Field>> =>
  Layer.effect(
    ContactFilterFields,
    Effect.contextWith((outside: Context.Context<FieldServices<Field>>) => {
      const reading = withContext<Tenancy>(outside)
      const every: ReadonlyArray<AnyField> = fields
      return Effect.succeed(
        ContactFilterFields.of({
          all: () => Effect.succeed(every),
          find: Effect.fnUntraced(function* (named) {
            const found = new Map<string, ReadonlySet<string>>()
            for (const { find, name } of every) {
              const ids = named.get(name) ?? []
              if (ids.length > 0) found.set(name, new Set(yield* reading(find(ids))))
            }
            return found
          })
        })
      )
    })
  )

const placeholderTime = DateTime.makeUnsafe(0)

export const areaOperatorNames = ({ operators }: AreaFilterField): ReadonlyArray<string> =>
  Object.keys(operators(placeholderTime))

/** Returns the operators of all fields, for descriptions. */
export const allFilterOperators = (
  fields: ReadonlyArray<AreaFilterField>
): Readonly<Record<string, ReadonlyArray<string>>> => ({
  ...Object.fromEntries(FilterField.literals.map((field) => [field, filterOperators[field]])),
  ...Object.fromEntries(fields.map((field) => [field.name, areaOperatorNames(field)]))
})

/** Id in a list, with the path from the containing value. */
export interface ListedId {
  readonly id: Schema.Json
  readonly step: string
}

/** Returns the ids that the value of a condition lists. Does not validate them. */
export const findListedIds = (
  { namedAt }: Pick<AreaFilterField, "namedAt">,
  value: Schema.Json | undefined
): ReadonlyArray<ListedId> => {
  const list = namedAt === undefined ? value : Predicate.isObject(value) ? Reflect.get(value, namedAt) : undefined
  const steps = namedAt === undefined ? "" : `${namedAt}/`
  return Array.isArray(list) ? list.map((id: Schema.Json, place) => ({ id, step: `${steps}${place}` })) : []
}
