import { DateTime } from "effect"
import type { NamedPath, Vocabulary, Written } from "../../campaigns/index.ts"
import { writtenMoney } from "./writtenMoney.ts"

/** What texts may name of each group. */
const namesOf = {
  contact: ["id", "name", "firstName", "phone", "email", "locale", "timezone"],
  conversation: ["id", "status", "priority", "assigneeId", "chatAccountId", "unreadCount", "createdAt", "waitingSince"],
  message: ["id", "kind", "text", "replyId"],
  order: ["id", "name", "total", "itemCount", "paymentStatus", "fulfilmentStatus", "placedAt", "statusUrl"],
  cart: ["id", "total", "itemCount", "recoveryUrl", "lastActivityAt"],
  event: ["type", "position", "at"],
  organization: ["id", "name", "timezone", "locale", "currency"]
} as const

type Named = keyof typeof namesOf

const isNamed = (group: string): group is Named => Object.hasOwn(namesOf, group)

/** What is known whatever has happened. */
const always: ReadonlySet<string> = new Set(["contact", "event", "organization", "schedule"])

/** What workflows know besides: what they were started with, and what their steps have come to. Nobody says beforehand what is in it. */
const anything: Readonly<Record<string, string>> = { input: "input.name", steps: "steps.node" }

const deepest = 8

/** What of an event alone is known, as `event.amount`. */
const ofEvent = (groups: ReadonlySet<string>) =>
  Array.from(groups).flatMap((group) => (group.startsWith("event.") ? [group.slice("event.".length)] : []))

const known = (group: Named, groups: ReadonlySet<string>): ReadonlyArray<string> =>
  group === "event" ? [...namesOf.event, ...ofEvent(groups)] : namesOf[group]

const readIn = (path: NamedPath, groups: ReadonlySet<string>): NamedPath | null => {
  const [group, name, ...others] = path
  if (group === undefined) return null
  if (Object.hasOwn(anything, group)) {
    const isKnown = groups.has(group) && name !== undefined && (group !== "steps" || groups.has(`steps.${name}`))
    return isKnown && path.length <= deepest ? path : null
  }
  if (!groups.has(group) && !always.has(group)) {
    // As in the values of broadcasts, what is of the contact needs no group.
    const isOurs = group === "attribute" || known("contact", groups).some((each) => each === group)
    return isOurs && group !== "id" && readIn(["contact", ...path], groups) !== null ? path : null
  }
  if (name === undefined) return null
  if (group === "contact" && name === "attribute") return others.length === 1 ? path : null
  if (others.length > 0) return null
  return group === "schedule" || (isNamed(group) && known(group, groups).includes(name)) ? path : null
}

const listed = (groups: ReadonlySet<string>): string =>
  Object.keys(namesOf)
    .filter(isNamed)
    .filter((group) => groups.has(group) || always.has(group))
    .flatMap((group) => known(group, groups).map((name) => `${group}.${name}`))
    .concat(Object.entries(anything).flatMap(([group, shown]) => (groups.has(group) ? [shown] : [])))
    .join(", ")

/** What texts may name where these groups are known. */
export const vocabularyOf = (groups: ReadonlySet<string>): Vocabulary<NamedPath> => ({
  read: (path) => readIn(path, groups),
  keyOf: (path) => JSON.stringify(path),
  expected: `${listed(groups)}, contact.attribute.key or schedule.id`,
  of: "what has happened"
})

/** What was looked at when the action was saved is not looked at anew: what is not there is empty. */
export const everyPath: Vocabulary<NamedPath> = {
  ...vocabularyOf(new Set()),
  read: (path) => (path.length > 0 && path.length <= deepest ? path : null)
}

const isOfContact = ([first, second]: NamedPath) => second === undefined || first === "attribute"

const within = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null

/** What stands there, as it may be written in a language; `null` where nothing does. */
export const lookupIn =
  (texts: Readonly<Record<string, unknown>>, language: string | null) =>
  (path: NamedPath): Written => {
    const found = (isOfContact(path) ? ["contact", ...path] : path).reduce<unknown>(within, texts)
    if (typeof found === "string" || typeof found === "number" || typeof found === "boolean") return found
    return DateTime.isDateTime(found) ? DateTime.formatIso(DateTime.toUtc(found)) : writtenMoney(found, language)
  }
