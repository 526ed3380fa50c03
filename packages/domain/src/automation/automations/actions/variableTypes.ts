import type { NamedPath, ValueType, ValueTypes } from "../../../campaigns/index.ts"
import type { ContactField } from "../../../crm/index.ts"
import { type PluginSchema, toMemberSchema, findAllowedTypes } from "../../../integrations/plugins/index.ts"

type VariableTypes = Readonly<Record<string, ValueType>>

/** Variables of each group, with their types. */
export const variablesByGroup = {
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
  message: {
    id: "text",
    kind: "text",
    text: "text",
    replyId: "text",
    hasMedia: "boolean",
    status: "text",
    errorCode: "text",
    authorKind: "text"
  },
  note: { id: "text", text: "text", authorId: "text", mentions: "list" },
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
} as const satisfies Readonly<Record<string, VariableTypes>>

export type VariableGroup = keyof typeof variablesByGroup

export const isVariableGroup = (group: string): group is VariableGroup => Object.hasOwn(variablesByGroup, group)

/** Variables of some events only. */
const eventVariableTypes: VariableTypes = {
  amount: "money",
  assigneeId: "text",
  broadcastId: "text",
  fields: "list",
  from: "text",
  isFirst: "boolean",
  tagIds: "list"
}

/** Members of a money object. */
export const moneyParts: VariableTypes = { amountMinor: "number", currency: "text" }

/** Members of a workflow step, except its output. */
const stepVariableTypes: VariableTypes = {
  node: "text",
  visit: "number",
  state: "text",
  effect: "object",
  error: "object",
  conditions: "object",
  at: "time"
}

const jsonTypes: ReadonlySet<ValueType> = new Set(["list", "object"])

/** Whether a workflow step can have a value at these names. Only objects and the output have further members. */
export const isStepPath = ([name, ...others]: NamedPath): boolean => {
  if (name === undefined || name === "output") return true
  const type = Object.hasOwn(stepVariableTypes, name) ? stepVariableTypes[name] : undefined
  return type !== undefined && (others.length === 0 || jsonTypes.has(type))
}

const contactFieldTypes: Readonly<Record<ContactField["type"], ValueType>> = {
  text: "text",
  number: "number",
  boolean: "boolean",
  date: "time",
  enum: "text"
}

const schemaValueTypes: Readonly<Record<string, ValueType>> = {
  string: "text",
  integer: "number",
  number: "number",
  boolean: "boolean",
  array: "list",
  object: "object",
  null: "null"
}

/** Context for types that depend on the organization or the workflow. */
export interface VariableContext {
  readonly fields: ReadonlyArray<Pick<ContactField, "key" | "type">>
  /** Output schemas of plugin actions, by workflow node. */
  readonly outputs: ReadonlyMap<string, PluginSchema>
}

const singleType = (types: VariableTypes, name: string | undefined): ValueTypes => {
  const type = name !== undefined && Object.hasOwn(types, name) ? types[name] : undefined
  return type === undefined ? null : new Set([type])
}

const outputTypesAt = (schema: PluginSchema | undefined, names: NamedPath): ValueTypes => {
  if (schema === undefined) return null
  const allowed = findAllowedTypes(names.reduce(toMemberSchema, schema))
  return allowed === null || allowed.size === 0
    ? null
    : new Set(Array.from(allowed).flatMap((type) => Array.from(singleType(schemaValueTypes, type) ?? [])))
}

const stepTypes = ([node, name, ...others]: NamedPath, { outputs }: VariableContext): ValueTypes => {
  if (node === undefined) return null
  if (name === undefined) return new Set<ValueType>(["object"])
  if (name === "output") return outputTypesAt(outputs.get(node), others)
  return others.length === 0 ? singleType(stepVariableTypes, name) : null
}

const attributeTypes = (key: string | undefined, { fields }: VariableContext): ValueTypes => {
  const field = fields.find((each) => each.key === key)
  return field === undefined ? null : new Set([contactFieldTypes[field.type]])
}

/** Possible types of a variable; `null` if unknown before the run. */
export const resolveVariableTypes = (path: NamedPath, known: VariableContext): ValueTypes => {
  const [group, name, part] = path
  if (group === undefined || group === "input" || group === "webhook") return null
  if (group === "steps") return stepTypes(path.slice(1), known)
  if (group === "schedule") return new Set<ValueType>([part === undefined ? "text" : "time"])
  if (group === "attribute") return attributeTypes(name, known)
  if (group === "contact" && name === "attribute") return attributeTypes(part, known)
  if (part !== undefined) return singleType(moneyParts, part)
  if (name === undefined) return singleType(variablesByGroup.contact, group)
  const own = isVariableGroup(group) ? singleType(variablesByGroup[group], name) : null
  return own ?? (group === "event" ? singleType(eventVariableTypes, name) : null)
}
