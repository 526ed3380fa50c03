import { DateTime, Effect } from "effect"
import { loadFilterPermissions, resolveFilter } from "../crm/index.ts"
import {
  CurrentActor,
  type ValidationIssue,
  hasPermission,
  type NotFound,
  type Permission,
  PermissionDenied,
  requireReach,
  ValidationFailed
} from "../kernel/index.ts"
import { ChatAccounts, MessageTemplates } from "../messaging/chat/index.ts"
import { ChatAccountDisconnected, TemplateNotApproved } from "../messaging/inbox/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { type Broadcast, broadcastMessages } from "./Broadcast.ts"
import { requireRetrySource } from "./audience/planAudience.ts"
import { checkMessages } from "./definitionChecks.ts"
import { validateSchedule } from "./timing/Schedule.ts"

/** A retry selects by the status of earlier recipients, like the field `broadcast`. */
const retryPermissions: ReadonlyArray<Permission> = ["broadcasts.read"]

/** A recipient without a value is excluded as `missing_variable`, so the counts depend on fields of values and of filters. */
const valuePermissions = ({
  variables,
  variants
}: Pick<Broadcast, "variables" | "variants">): ReadonlyArray<Permission> =>
  [variables, ...(variants ?? []).map((variant) => variant.variables)].some((values) =>
    Object.values(values).some(({ kind }) => kind !== "constant")
  )
    ? ["contacts.read"]
    : []

/** The time zone of a contact shows the country of its number. */
const zonePermissions = ({ schedule }: Pick<Broadcast, "schedule">): ReadonlyArray<Permission> =>
  schedule?.zone === "contact" ? ["contacts.read"] : []

/**
 * Fails unless the actor holds the permission of each field of the audience and of the values. Previews and sends also evaluate what other
 * authors wrote.
 */
export const requireAudiencePermissions = Effect.fnUntraced(function* ({
  audience,
  exclude,
  retry,
  schedule,
  variables,
  variants
}: Pick<Broadcast, "audience" | "exclude" | "retry" | "schedule" | "variables" | "variants">) {
  const fields = yield* loadFilterPermissions([audience, exclude])
  yield* requireReach([
    ...fields,
    ...valuePermissions({ variables, variants }),
    ...zonePermissions({ schedule }),
    ...(retry === null ? [] : retryPermissions)
  ])
})

/** Requires the send permission for changes to scheduled broadcasts, and for flags that ignore contact protection. */
export const requireSendPermission = Effect.fnUntraced(function* (before: Broadcast | null, after: Broadcast) {
  const changesRules =
    after.ignoreFrequencyCaps !== (before?.ignoreFrequencyCaps ?? false) ||
    after.ignoreQuietHours !== (before?.ignoreQuietHours ?? false)
  const needsSending = before?.status === "scheduled" || changesRules
  if (needsSending && !hasPermission(yield* CurrentActor, "broadcasts.send")) {
    return yield* new PermissionDenied({ permission: "broadcasts.send" })
  }
})

/** Whether a broadcast starts immediately or by its schedule. */
export interface StartMode {
  readonly startsNow: boolean
}

/** A resource deleted after the draft is a problem of the broadcast, not of the request. */
const toIssues = (refusal: ValidationFailed | NotFound): ReadonlyArray<ValidationIssue> =>
  refusal._tag === "ValidationFailed"
    ? refusal.errors
    : [{ pointer: refusal.pointer ?? "", message: `The ${refusal.resource} with this id no longer exists` }]

/** A missing permission is not a problem of the broadcast. It stays an error. */
const collectIssues = <R>(check: Effect.Effect<unknown, ValidationFailed | NotFound | PermissionDenied, R>) =>
  check.pipe(
    Effect.map((): ReadonlyArray<ValidationIssue> => []),
    Effect.catchTag(["ValidationFailed", "NotFound"], (refusal) => Effect.succeed(toIssues(refusal)))
  )

const validatePresence = (part: unknown, pointer: string, message: string): ReadonlyArray<ValidationIssue> =>
  part === null ? [{ pointer, message }] : []

const validateRequiredParts = (broadcast: Broadcast): ReadonlyArray<ValidationIssue> => [
  ...validatePresence(broadcast.chatAccountId, "/chatAccountId", "Expected a chat account"),
  ...broadcastMessages(broadcast).flatMap(({ pointer, templateId }) =>
    validatePresence(templateId, `${pointer}/templateId`, "Expected a message template")
  ),
  ...validatePresence(broadcast.audience, "/audience", "Expected an audience; {} matches all contacts")
]

const validateStartSchedule = Effect.fnUntraced(function* (
  { schedule, startedAt }: Broadcast,
  { startsNow }: StartMode
) {
  if (schedule === null) {
    return startsNow ? [] : [{ pointer: "/schedule", message: "Expected a schedule with a start time" }]
  }
  const { timezone } = yield* (yield* Organizations).current()
  const { at: _at, localAt: _localAt, ...limits } = schedule
  const { notAfter: _notAfter, ...afterStart } = limits
  // A started broadcast continues after its latest start time.
  const checked = startedAt === null ? limits : afterStart
  const faults = validateSchedule(startsNow ? checked : schedule, {
    now: yield* DateTime.now,
    organizationZone: DateTime.zoneMakeNamedUnsafe(timezone),
    startsNow
  })
  return faults.map(({ message, pointer }) => ({ pointer: `/schedule${pointer}`, message }))
})

/** Returns all reasons that block a send of the broadcast, in rejection order. */
export const findSendBlockers = Effect.fnUntraced(function* (broadcast: Broadcast, start: StartMode) {
  const { audience, chatAccountId, exclude } = broadcast
  const errors = [
    ...validateRequiredParts(broadcast),
    ...(yield* collectIssues(checkMessages(broadcast, "whole"))),
    ...(audience === null ? [] : yield* collectIssues(resolveFilter(audience, "/audience"))),
    ...(exclude === null ? [] : yield* collectIssues(resolveFilter(exclude, "/exclude"))),
    ...(yield* collectIssues(requireRetrySource(broadcast))),
    ...(yield* validateStartSchedule(broadcast, start))
  ]
  const messages = broadcastMessages(broadcast)
  const ids = messages.flatMap(({ templateId }) => templateId ?? [])
  const templates = yield* (yield* MessageTemplates).find([...new Set(ids)])
  const unapproved = messages.flatMap(({ pointer, templateId }) => {
    const template = templates.find(({ id }) => id === templateId)
    return template === undefined || template.status === "approved"
      ? []
      : [{ pointer: `${pointer}/templateId`, error: new TemplateNotApproved({ status: template.status }) }]
  })
  const [account] = chatAccountId === null ? [] : yield* (yield* ChatAccounts).find([chatAccountId])
  return {
    errors,
    unapproved,
    disconnected: account?.status === "disconnected" ? new ChatAccountDisconnected() : null
  }
})

/**
 * Rejects a broadcast that is not ready. The order is: parts that are not ready, each with a pointer into the broadcast; a template that is not
 * approved; a disconnected chat account.
 */
export const requireReadyBroadcast = Effect.fnUntraced(function* (broadcast: Broadcast, start: StartMode) {
  const { disconnected, errors, unapproved } = yield* findSendBlockers(broadcast, start)
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const [refused] = unapproved
  if (refused !== undefined) return yield* refused.error
  if (disconnected !== null) return yield* disconnected
})
