import { Schema } from "effect"
import { Permission } from "../../kernel/index.ts"
import { ConsentState } from "../Consent.ts"
import { type ContactField, FieldKey } from "../ContactFields.ts"
import { IdentityKind } from "../Identity.ts"
import { areaOperatorNames, FilterValueType, type TypedFilterField } from "./ContactFilterFields.ts"
import { FilterField, filterOperators } from "./conditionOperators.ts"
import { attributeOperatorNames } from "./filterReading.ts"

/** Value that an operator takes: none, one value, a list of 1 to 50 values, or a number of days. */
export const OperatorValue = Schema.Literals(["none", "one", "list", "days"])
export type OperatorValue = typeof OperatorValue.Type

/** Field that filters can use, with everything that an editor for filters needs. */
export class FilterFieldDescription extends Schema.Class<FilterFieldDescription>("FilterFieldDescription")({
  field: Schema.String.annotate({ description: "Value of `field` in a condition." }),
  key: Schema.NullOr(FieldKey).annotate({
    description: "Value of `key` in a condition on a custom field; `null` for other fields."
  }),
  name: Schema.NullOr(Schema.String).annotate({ description: "Name of the custom field; `null` for other fields." }),
  type: FilterValueType.annotate({ description: "Type of the values that conditions compare with." }),
  operators: Schema.Array(Schema.Struct({ op: Schema.String, value: OperatorValue })).annotate({
    description: "Operators of the field, with the value that each takes."
  }),
  choices: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Allowed values of the type `choice`; `null` for other types."
  }),
  resource: Schema.NullOr(Schema.String).annotate({
    description: "Resource that the ids of the types `id`, `ids` and `purchase` name; `null` for other types."
  }),
  permission: Permission.annotate({ description: "Permission that a filter with this field needs." })
}) {}

interface OwnField {
  readonly type: FilterValueType
  readonly choices?: ReadonlyArray<string>
  readonly resource?: string
}

const ownFields: Readonly<Record<Exclude<FilterField, "attribute">, OwnField>> = {
  tag: { type: "ids", resource: "tag" },
  consent: { type: "choice", choices: ConsentState.literals },
  name: { type: "text" },
  phone: { type: "text" },
  email: { type: "text" },
  locale: { type: "text" },
  timezone: { type: "text" },
  identity: { type: "choice", choices: IdentityKind.literals },
  createdAt: { type: "time" },
  lastSeenAt: { type: "time" },
  lastInboundAt: { type: "time" },
  blocked: { type: "boolean" },
  segment: { type: "id", resource: "segment" },
  contact: { type: "ids", resource: "contact" }
}

const operatorValues: Readonly<Record<string, OperatorValue>> = {
  is_set: "none",
  is_not_set: "none",
  within_days: "days",
  not_within_days: "days",
  any_of: "list",
  all_of: "list",
  none_of: "list"
}

const describeOperatorNames = (names: ReadonlyArray<string>, type: FilterValueType) =>
  names.map((op) => ({ op, value: operatorValues[op] ?? (type === "ids" ? "list" : "one") }) as const)

const describeField = (
  field: string,
  operators: ReadonlyArray<string>,
  { choices, resource, type }: OwnField,
  rest: Pick<FilterFieldDescription, "key" | "name" | "permission">
): FilterFieldDescription =>
  new FilterFieldDescription({
    field,
    type,
    operators: describeOperatorNames(operators, type),
    choices: choices ?? null,
    resource: resource ?? null,
    ...rest
  })

const describeAttribute = (field: ContactField): FilterFieldDescription =>
  describeField(
    "attribute",
    attributeOperatorNames(field),
    field.choices === null || field.type !== "enum"
      ? { type: field.type === "enum" ? "text" : field.type }
      : { type: "choice", choices: field.choices },
    { key: field.key, name: field.name, permission: "contacts.read" }
  )

/** Describes the fields of contacts, then custom fields in use, then the fields of other areas. */
export const describeFilterFields = (
  custom: ReadonlyArray<ContactField>,
  others: ReadonlyArray<TypedFilterField>
): ReadonlyArray<FilterFieldDescription> => [
  ...FilterField.literals.flatMap((field) =>
    field === "attribute"
      ? []
      : [
          describeField(field, filterOperators[field], ownFields[field], {
            key: null,
            name: null,
            permission: "contacts.read"
          })
        ]
  ),
  ...custom.filter(({ status }) => status === "active").map(describeAttribute),
  ...others.map((other) => {
    const { choices, name, names, permission, type } = other
    return describeField(
      name,
      areaOperatorNames(other),
      { type, ...(choices !== undefined && { choices }), ...(names !== null && { resource: names }) },
      { key: null, name: null, permission }
    )
  })
]
