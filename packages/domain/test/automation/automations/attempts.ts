import type { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import {
  type Automation,
  cancelAutomationRun,
  deleteTriggerUrl,
  getTriggerUrl,
  reencryptTriggerSecrets,
  rotateTriggerUrl,
  triggerAutomation,
  createAutomation,
  deleteAutomation,
  disableAutomation,
  enableAutomation,
  getAutomation,
  getAutomationRun,
  listAutomationRuns,
  getAutomationSettings,
  listAutomations,
  testAutomation,
  updateAutomation,
  updateAutomationSettings
} from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { givenAutomationRun, givenContact, givenConversation, givenReceived } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { asOwner, attempt, firstPage, reads, type Values, type World, type Prepare } from "../../attempting.ts"

const givenAutomation = (world: World) => asOwner(world, createAutomation({ name: "Before", ...definition }))

const definition = {
  when: { event: "message.received" },
  if: { field: "message.text", op: "has_word", value: ["order"] },
  then: [{ type: "set_priority", priority: "high" }]
} as const

const named = (name: string): Values => ({ name, position: 1, ...definition })

type Changed = "automation.updated" | "automation.enabled" | "automation.disabled" | "automation.deleted"

const eventOf = (type: Changed, automationId: Automation["id"]) => {
  if (type === "automation.deleted") return { type, automationId, cancelledRuns: 0 }
  return type === "automation.disabled" ? { type, automationId, disabledReason: null } : { type, automationId }
}

const onAutomation =
  (
    call: (
      id: Automation["id"]
    ) => Effect.Effect<unknown, { readonly _tag: string }, Ports | CurrentActor | CurrentOrganization>,
    type: Changed,
    before: Values | null,
    after: Values | null,
    first?: (
      id: Automation["id"]
    ) => Effect.Effect<unknown, { readonly _tag: string }, Ports | CurrentActor | CurrentOrganization>
  ): Prepare =>
  (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(world)
      if (first !== undefined) yield* asOwner(world, first(id))
      return attempt(call(id), () => ({
        action: type,
        target: { kind: "automation", id },
        before,
        after,
        event: eventOf(type, id)
      }))
    })

const webhookDefinition = { when: { event: "webhook.received" }, then: definition.then } as const

/** An enabled automation with a trigger URL. */
const givenTriggerUrl = (world: World, signed: boolean) =>
  Effect.gen(function* () {
    const { id } = yield* asOwner(world, createAutomation({ name: "Before", ...webhookDefinition }))
    yield* asOwner(world, enableAutomation({ id, ifVersion: null }))
    const { url } = yield* asOwner(world, rotateTriggerUrl({ id, signed }))
    return { id, token: Redacted.make(Redacted.value(url).split("/").at(-1) ?? "") }
  })

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "automation.create": () =>
    Effect.succeed(
      attempt(createAutomation({ name: "Welcome", ...definition }), ({ id }) => ({
        action: "automation.created",
        target: { kind: "automation", id },
        before: null,
        after: named("Welcome"),
        event: { type: "automation.created", automationId: id }
      }))
    ),
  "automation.delete": onAutomation(
    (id) => deleteAutomation({ id, ifVersion: 1 }),
    "automation.deleted",
    named("Before"),
    {
      cancelledRuns: 0
    }
  ),
  "automation.disable": onAutomation(
    (id) => disableAutomation({ id, ifVersion: null }),
    "automation.disabled",
    { enabled: true },
    { enabled: false },
    (id) => enableAutomation({ id, ifVersion: null })
  ),
  "automation.enable": onAutomation(
    (id) => enableAutomation({ id, ifVersion: 1 }),
    "automation.enabled",
    { enabled: false },
    { enabled: true }
  ),
  "automation.get": (world) => Effect.map(givenAutomation(world), ({ id }) => attempt(getAutomation({ id }))),
  "automation.getRun": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(world)
      const run = yield* givenAutomationRun(world.organization, id)
      return attempt(getAutomationRun({ id, runId: run.id }))
    }),
  "automation.cancelRun": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(world)
      const run = yield* givenAutomationRun(world.organization, id, { state: "queued", finishedAt: null })
      return attempt(cancelAutomationRun({ id, runId: run.id }), () => ({
        action: "automation.run_cancelled",
        target: { kind: "automation_run", id: run.id },
        before: { state: "queued" },
        after: { state: "cancelled" },
        event: { type: "automation.run_cancelled", automationId: id, runId: run.id }
      }))
    }),
  "automation.listRuns": (world) =>
    Effect.map(givenAutomation(world), ({ id }) => attempt(listAutomationRuns({ id, state: null, page: firstPage }))),
  "automation.list": reads(() => listAutomations({ page: firstPage })),
  "automation.test": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(world)
      const { position } = yield* givenReceived(world.organization, yield* givenConversation(world.organization))
      return attempt(testAutomation({ id, position }))
    }),
  "automation.getTriggerUrl": (world) =>
    Effect.map(givenTriggerUrl(world, true), ({ id }) => attempt(getTriggerUrl({ id }))),
  "automation.rotateTriggerUrl": (world) =>
    Effect.map(givenAutomation(world), ({ id }) =>
      attempt(rotateTriggerUrl({ id, signed: true }), () => ({
        action: "automation.trigger_url_rotated",
        target: { kind: "automation", id },
        before: null,
        after: { signed: true },
        event: null
      }))
    ),
  "automation.deleteTriggerUrl": (world) =>
    Effect.map(givenTriggerUrl(world, false), ({ id }) =>
      attempt(deleteTriggerUrl({ id }), () => ({
        action: "automation.trigger_url_deleted",
        target: { kind: "automation", id },
        before: null,
        after: null,
        event: null
      }))
    ),
  "automation.resealTriggerSecrets": (world) =>
    Effect.map(givenTriggerUrl(world, true), ({ id }) =>
      attempt(reencryptTriggerSecrets(), () => ({
        action: "automation.resealed",
        target: { kind: "automation", id },
        before: null,
        after: null,
        event: null
      }))
    ),
  "automation.trigger": (world) =>
    Effect.gen(function* () {
      const { id, token } = yield* givenTriggerUrl(world, false)
      const { id: contactId } = yield* givenContact(world.organization)
      const call = { id, token, contact: { id: contactId }, data: { plan: "pro" }, headers: {}, text: "" }
      return attempt(
        triggerAutomation(call),
        ({ callId }) => ({
          action: null,
          target: { kind: "automation", id },
          before: null,
          after: null,
          event: callId === null ? null : { type: "automation.triggered", automationId: id, contactId, callId },
          actor: { kind: "system", id: "automation triggers" }
        }),
        { token }
      )
    }),
  "automation.update": onAutomation(
    (id) => updateAutomation({ id, name: "After", ifVersion: 1 }),
    "automation.updated",
    { name: "Before" },
    { name: "After" }
  ),
  "automationSettings.get": reads(() => getAutomationSettings()),
  "automationSettings.update": ({ organization: { id } }) =>
    Effect.succeed(
      attempt(updateAutomationSettings({ paused: true, ifVersion: 1 }), () => ({
        action: "automations.paused",
        target: { kind: "organization", id },
        before: { paused: false },
        after: { paused: true },
        event: { type: "automations.paused" }
      }))
    )
}
