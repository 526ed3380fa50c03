/** A JSON schema, as far as the contract uses it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly contentSchema?: JsonSchema
  readonly description?: string
  readonly "x-shown-with"?: unknown
}

/** The name that a reference points to. */
export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** A comment for editors. */
export const commentOf = (paragraphs: ReadonlyArray<string | undefined>): string => {
  const text = paragraphs
    .filter((paragraph) => paragraph !== undefined && paragraph !== "")
    .join("\n\n")
    .replaceAll("*/", "*\\/")
  if (text === "") return ""
  return text.includes("\n")
    ? `/**\n${text
        .split("\n")
        .map((line) => ` * ${line}`.trimEnd())
        .join("\n")}\n */\n`
    : `/** ${text} */\n`
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name))

/** One property of an object type. */
export const propertyOf = (name: string, type: string, isRequired: boolean, description?: string): string =>
  `${commentOf([description])}readonly ${keyOf(name)}${isRequired ? "" : "?"}: ${type}\n`

const unionOf = (types: ReadonlyArray<string>) => Array.from(new Set(types)).join(" | ")

/** Additional properties of an object. */
const restOf = ({ additionalProperties, patternProperties }: JsonSchema): ReadonlyArray<JsonSchema> => [
  ...Object.values(patternProperties ?? {}),
  ...(additionalProperties === true ? [{}] : []),
  ...(typeof additionalProperties === "object" ? [additionalProperties] : [])
]

const propertiesOf = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties)
    .map(([name, schema]) => propertyOf(name, typeOf(schema), required.includes(name), descriptionOf(schema)))
    .join("")

/** The description of a field. */
export const descriptionOf = (schema: JsonSchema): string =>
  [
    schema.description,
    schema["x-shown-with"] === undefined
      ? undefined
      : `Null without the permission \`${String(schema["x-shown-with"])}\`.`
  ]
    .filter((text) => text !== undefined)
    .join(" ")

const objectOf = (schema: JsonSchema) => {
  const named = propertiesOf(schema)
  const rest = restOf(schema)
  const record = `{ readonly [key: string]: ${unionOf(rest.map(typeOf))} }`
  if (rest.length === 0) return named === "" ? "{}" : `{\n${named}}`
  return named === "" ? record : `({\n${named}} & ${record})`
}

const isConstraint = ({ $ref, anyOf, type }: JsonSchema) =>
  $ref === undefined && anyOf === undefined && type === undefined

/** The TypeScript type of the values that a schema describes. */
export const typeOf = (schema: JsonSchema): string => {
  const { $ref, allOf, anyOf, items, type } = schema
  if ($ref !== undefined) return nameOfRef($ref)
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
  if (anyOf !== undefined) return `(${unionOf(anyOf.map(typeOf))})`
  if (type === undefined && allOf !== undefined) {
    return allOf
      .filter((part) => !isConstraint(part))
      .map(typeOf)
      .join(" & ")
  }
  if (type === "array") return `ReadonlyArray<${items === undefined ? "unknown" : typeOf(items)}>`
  if (type === "object") return objectOf(schema)
  if (type === "integer" || type === "number") return "number"
  return type ?? "unknown"
}

/** A named type. */
export const declarationOf = (name: string, schema: JsonSchema): string => {
  const comment = commentOf([descriptionOf(schema)])
  const isInterface = schema.type === "object" && restOf(schema).length === 0
  return isInterface
    ? `${comment}export interface ${name} {\n${propertiesOf(schema)}}\n`
    : `${comment}export type ${name} = ${typeOf(schema)}\n`
}
