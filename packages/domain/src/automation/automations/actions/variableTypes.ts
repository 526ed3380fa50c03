import type { NamedPath, ValueType, ValueTypes } from "../../../campaigns/index.ts"
import type { ContactField } from "../../../crm/index.ts"
import { type PluginSchema, schemaOfMember, typesAllowed } from "../../../integrations/plugins/index.ts"

type Types = Readonly<Record<string, ValueType>>

/** Variables of each group, with their types. */
export const variables = {
  contact: {
    id: "text",
    name: "text",
    firstName: "text",
    phone: "text",
    email: "text",
    locale: "text",
    timezone: "text"
  },
  conversation: {
    id: "text",
    status: "text",
    priority: "text",
    assigneeId: "text",
    chatAccountId: "text",
    labels: "list",
    unreadCount: "number",
    windowOpen: "boolean",
    createdAt: "time",
    waitingSince: "time"
  },
  message: { id: "text", kind: "text", text: "text", replyId: "text", hasMedia: "boolean" },
  order: {
    id: "text",
    name: "text",
    total: "money",
    itemCount: "number",
    productIds: "list",
    skus: "list",
    paymentStatus: "text",
    fulfilmentStatus: "text",
    placedAt: "time",
    isFirst: "boolean",
    statusUrl: "text"
  },
  cart: {
    id: "text",
    total: "money",
    itemCount: "number",
    productIds: "list",
    skus: "list",
    recoveryUrl: "text",
    lastActivityAt: "time"
  },
  event: { type: "text", position: "number", at: "time" },
  organization: { id: "text", name: "text", timezone: "text", locale: "text", currency: "text" }
} as const satisfies Readonly<Record<string, Types>>

/** A group of variables. */
export type VariableGroup = keyof typeof variables

export const isVariableGroup = (group: string): group is VariableGroup => Object.hasOwn(variables, group)

/** Variables of some events only. */
const ofEvents: Types = { amount: "money", broadcastId: "text", from: "text", isFirst: "boolean", tagIds: "list" }

/** Members of a money object. */
export const moneyParts: Types = { amountMinor: "number", currency: "text" }

/** Members of a workflow step, except its output. */
const ofSteps: Types = {
  node: "text",
  visit: "number",
  state: "text",
  effect: "object",
  error: "object",
  conditions: "object",
  at: "time"
}

const ofFields: Readonly<Record<ContactField["type"], ValueType>> = {
  text: "text",
  number: "number",
  boolean: "boolean",
  date: "time",
  enum: "text"
}

const ofSchemas: Readonly<Record<string, ValueType>> = {
  string: "text",
  integer: "number",
  number: "number",
  boolean: "boolean",
  array: "list",
  object: "object",
  null: "null"
}

/** Context for types that depend on the organization or the workflow. */
export interface KnownVariables {
  readonly fields: ReadonlyArray<Pick<ContactField, "key" | "type">>
  /** Output schemas of plugin actions, by workflow node. */
  readonly outputs: ReadonlyMap<string, PluginSchema>
}

const only = (types: Types, name: string | undefined): ValueTypes => {
  const type = name !== undefined && Object.hasOwn(types, name) ? types[name] : undefined
  return type === undefined ? null : new Set([type])
}

const ofOutput = (schema: PluginSchema | undefined, names: NamedPath): ValueTypes => {
  if (schema === undefined) return null
  const allowed = typesAllowed(names.reduce(schemaOfMember, schema))
  return allowed === null || allowed.size === 0
    ? null
    : new Set(Array.from(allowed).flatMap((type) => Array.from(only(ofSchemas, type) ?? [])))
}

const ofStep = ([node, name, ...others]: NamedPath, { outputs }: KnownVariables): ValueTypes => {
  if (node === undefined) return null
  if (name === undefined) return new Set<ValueType>(["object"])
  if (name === "output") return ofOutput(outputs.get(node), others)
  return others.length === 0 ? only(ofSteps, name) : null
}

const ofAttribute = (key: string | undefined, { fields }: KnownVariables): ValueTypes => {
  const field = fields.find((each) => each.key === key)
  return field === undefined ? null : new Set([ofFields[field.type]])
}

/** Possible types of a variable; `null` if unknown before the run. */
export const typesOfVariable = (path: NamedPath, known: KnownVariables): ValueTypes => {
  const [group, name, part] = path
  if (group === undefined || group === "input") return null
  if (group === "steps") return ofStep(path.slice(1), known)
  if (group === "schedule") return new Set<ValueType>(["text"])
  if (group === "attribute") return ofAttribute(name, known)
  if (group === "contact" && name === "attribute") return ofAttribute(part, known)
  if (part !== undefined) return only(moneyParts, part)
  if (name === undefined) return only(variables.contact, group)
  const own = isVariableGroup(group) ? only(variables[group], name) : null
  return own ?? (group === "event" ? only(ofEvents, name) : null)
}
