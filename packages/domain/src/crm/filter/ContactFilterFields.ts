import { Context, DateTime, Effect, Layer, Predicate, type Schema } from "effect"
import { type Permission, type Tenancy, type TenantScoped, withContext } from "../../kernel/index.ts"
import { FilterField, filterOperators, type OperatorReaders } from "./conditionOperators.ts"

/** A field of filters that another area adds, because it knows something of contacts. */
export interface AreaFilterField {
  /** How filters name it. */
  readonly name: string
  /** Permission to filter by this field, because each answer reveals part of its value. */
  readonly permission: Permission
  /** How its conditions are read at this time. */
  readonly operators: (now: DateTime.Utc) => OperatorReaders
  /** What its values name by their ids, in the words of an error about one that is not there; `null` if they name nothing. */
  readonly names: string | null
  /** Which field of its values lists these ids; values are such lists themselves if nothing is said. */
  readonly namedAt?: string
  /** Whether its conditions have a key: whoever adds it looks after what that may be. */
  readonly takesKey?: true
}

/** The same, with what it needs to tell. */
export interface ContactFilterField<Condition extends string, R> extends AreaFilterField {
  /** What its filters ask of a contact. Each storage adapter has an answer to all of them. */
  readonly conditions: ReadonlyArray<Condition>
  /** Which of these ids, as somebody wrote them, are there. */
  readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, never, R>
}

type AnyField = ContactFilterField<string, unknown>

type FieldServices<Field> = Field extends ContactFilterField<string, infer R> ? Exclude<R, Tenancy> : never

/** Declares a field of filters. */
export const defineFilterField = <const Condition extends string, R>(
  field: ContactFilterField<Condition, R>
): ContactFilterField<Condition, R> => field

/** What other areas know of contacts, as fields of filters. */
export class ContactFilterFields extends Context.Service<
  ContactFilterFields,
  TenantScoped<{
    readonly all: () => Effect.Effect<ReadonlyArray<AreaFilterField>>
    /** Which of the ids are there that filters name, by the field that names them. */
    readonly find: (
      named: ReadonlyMap<string, ReadonlyArray<string>>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlySet<string>>>
  }>
>()("@parley/domain/crm/ContactFilterFields") {}

/** Puts together what the areas know of contacts. */
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

/** The operators of all fields there are, as they are told to callers. */
export const allFilterOperators = (
  fields: ReadonlyArray<AreaFilterField>
): Readonly<Record<string, ReadonlyArray<string>>> => ({
  ...Object.fromEntries(FilterField.literals.map((field) => [field, filterOperators[field]])),
  ...Object.fromEntries(fields.map(({ name, operators }) => [name, Object.keys(operators(placeholderTime))]))
})

/** An entry of a list of ids, with the steps from the value that it stands in. */
export interface ListedId {
  readonly id: Schema.Json
  readonly step: string
}

/** What the value of a condition lists by ids. Whether they are ids is not said. */
export const findListedIds = (
  { namedAt }: Pick<AreaFilterField, "namedAt">,
  value: Schema.Json | undefined
): ReadonlyArray<ListedId> => {
  const list = namedAt === undefined ? value : Predicate.isObject(value) ? Reflect.get(value, namedAt) : undefined
  const steps = namedAt === undefined ? "" : `${namedAt}/`
  return Array.isArray(list) ? list.map((id: Schema.Json, place) => ({ id, step: `${steps}${place}` })) : []
}
