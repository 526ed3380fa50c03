import { Effect, Predicate, Schema } from "effect"
import { OperatorScope } from "./OperatorScope.ts"
import { Permission } from "./Permission.ts"

/** Resources of the installation. They are in no organization. */
const installationResources: ReadonlySet<string> = new Set(["operator token", "rate card"])

/** The resource does not exist or belongs to another tenant. The response does not distinguish the two. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  resource: Schema.String,
  /** Location of the id in the request, if it is not in the path. */
  pointer: Schema.optionalKey(Schema.String),
  /** Key of the lookup. Default: the id. */
  by: Schema.optionalKey(
    Schema.Literals(["name", "name and language", "phone number", "email address", "currency and day"])
  )
}) {
  override get message() {
    const place = installationResources.has(this.resource) ? "" : " in this organization"
    return `There is no ${this.resource} with this ${this.by ?? "id"}${place}.`
  }
}

/** The caller changed an outdated version of the resource. */
export class VersionConflict extends Schema.TaggedError<VersionConflict>()("VersionConflict", {
  current: Schema.Int
}) {
  override get message() {
    return `The resource has changed: its version is now ${this.current}. Get it again, then repeat the change.`
  }
}

/** Rejects a change for another version of the resource; `null` accepts any version. */
export const requireVersion = (resource: { readonly version: number }, expected: number | null) =>
  expected === null || expected === resource.version
    ? Effect.void
    : Effect.fail(new VersionConflict({ current: resource.version }))

/** The actor lacks the permission of the use case. */
export class PermissionDenied extends Schema.TaggedError<PermissionDenied>()("PermissionDenied", {
  permission: Schema.Union([Permission, Schema.Literals(["user", "plugin", "operator"])]),
  /** Another permission that is enough. */
  alternative: Schema.optionalKey(Permission)
}) {
  override get message() {
    if (this.permission === "user") return "Only a signed-in user can do this; an automation token cannot."
    if (this.permission === "plugin") return "Only a plugin can do this. Use the token of its installation."
    if (this.permission === "operator") return "Only an operator can do this."
    return this.alternative === undefined
      ? `This needs the permission ${this.permission}.`
      : `This needs the permission ${this.permission} or ${this.alternative}.`
  }
}

/** The operator token lacks the scope of the use case. */
export class ScopeDenied extends Schema.TaggedError<ScopeDenied>()("ScopeDenied", { scope: OperatorScope }) {
  override get message() {
    return `This needs an operator token with the scope ${this.scope}.`
  }
}

/** The cursor does not belong to this list, organization and version of the list. */
export class CursorInvalid extends Schema.TaggedError<CursorInvalid>()("CursorInvalid", {}) {
  override get message() {
    return "The cursor does not belong to this list. Start again without a cursor."
  }
}

/** One issue of an input, with its place as a JSON pointer. */
export const ValidationIssue = Schema.Struct({ pointer: Schema.String, message: Schema.String }).annotate({
  identifier: "Fault"
})
export type ValidationIssue = typeof ValidationIssue.Type

const maxIssueLength = 300

const formatIssue = ({ message, pointer }: ValidationIssue): string => {
  const words = pointer === "" ? message : `${pointer}: ${message}`
  const whole = words.length > maxIssueLength ? `${words.slice(0, maxIssueLength)}…` : words
  return /[.?…]$/u.test(whole) ? whole : `${whole}.`
}

const formatOtherCount = (count: number): string => {
  if (count === 0) return ""
  return count === 1 ? " There is 1 more error." : ` There are ${count} more errors.`
}

/** The input is invalid; every issue is listed. */
export class ValidationFailed extends Schema.TaggedError<ValidationFailed>()("ValidationFailed", {
  errors: Schema.Array(ValidationIssue)
}) {
  override get message() {
    const [first, ...others] = this.errors
    return first === undefined ? "The request is not valid." : `${formatIssue(first)}${formatOtherCount(others.length)}`
  }
}

/** Creates an issue for a rule that a schema cannot express. */
export const invalid = (pointer: string, message: string) => new ValidationFailed({ errors: [{ pointer, message }] })

/** Returns the stable code of an error: its tag in snake case. */
export const problemCode = (tag: string): string => tag.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase()

const errorMessage = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault))

const errorCause = (fault: unknown): unknown => {
  if (!Predicate.isObject(fault)) return undefined
  if (Predicate.hasProperty(fault, "cause") && Predicate.isObject(fault.cause)) return fault.cause
  return Predicate.hasProperty(fault, "reason") && Predicate.isObject(fault.reason) ? fault.reason : undefined
}

/** Returns the messages of an error and its causes. The database error is last and the most useful. */
export const describeError = (fault: unknown): string => {
  const values: Array<string> = []
  let here: unknown = fault
  for (let depth = 0; depth < 8 && here !== undefined; depth += 1) {
    const words = errorMessage(here)
    if (words !== "" && words !== "[object Object]" && !values.some((each) => each.includes(words))) values.push(words)
    here = errorCause(here)
  }
  return values.join(": ")
}
