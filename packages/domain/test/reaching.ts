import { type CurrentActor, type CurrentOrganization, nextId, type Permission, transact } from "@parley/domain/kernel"
import { createSegment, type FilterInput } from "@parley/domain/crm"
import { MessageTemplate, MessageTemplateId, MessageTemplates } from "@parley/domain/messaging"
import {
  disableWebhookSubscription,
  enablePlugin,
  enableWebhookSubscription,
  installPlugin,
  PluginCatalogue,
  redeliverWebhook,
  replayWebhookEvents,
  rotatePluginSecret,
  rotateWebhookSecret,
  testWebhookSubscription,
  updatePlugin,
  updateWebhookSubscription,
  upgradePlugin
} from "@parley/domain/integrations"
import {
  type Broadcast,
  cancelBroadcast,
  createBroadcast,
  duplicateBroadcast,
  freezeSlice,
  pauseBroadcast,
  previewAudience,
  resumeBroadcast,
  retryBroadcast,
  scheduleBroadcast,
  sendBroadcast,
  simulateBroadcast,
  testBroadcast,
  updateBroadcast
} from "@parley/domain/campaigns"
import {
  archiveWorkflow,
  continueWorkflowRun,
  createAutomation,
  createWorkflow,
  enableAutomation,
  enrollContacts,
  type Graph,
  migrateWorkflowRuns,
  type NewAutomation,
  NodeId,
  pauseWorkflow,
  publishWorkflow,
  rerunAutomationRuns,
  rerunWorkflowRuns,
  resumeWorkflow,
  rotateTriggerUrl,
  startWorkflowRun,
  testWorkflow,
  testAutomation,
  updateAutomation,
  updateAutomationSettings,
  updateWorkflow,
  type WorkflowNode
} from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import {
  aManifest,
  aSubscription,
  givenActiveWorkflow,
  givenContact,
  givenConversation,
  givenNextVersion,
  givenWorkflowRun,
  givenNumber,
  givenReceived,
  givenSubscription,
  givenTag,
  givenWebhookDelivery,
  putPlugin
} from "@parley/testkit"
import { asOwner, type World } from "@parley/testkit/fixtures"
import { DateTime, Effect } from "effect"

/** A call of a use case with a definition that reaches many permissions. */
export type ReachingCall = Effect.Effect<unknown, { readonly _tag: string }, Ports | CurrentActor | CurrentOrganization>

/** A definition of the world's owner that reaches `needs`, and a call that acts through it. */
export interface Reaching {
  readonly needs: ReadonlyArray<Permission>
  readonly call: ReachingCall
}

/** Fields of four permissions; the last is in a nested segment. Matches every contact. */
export const reachingFilter = Effect.fnUntraced(function* (world: World) {
  const inner = yield* asOwner(
    world,
    createSegment({ name: "Buyers", filter: { field: "orderCount", op: "gte", value: 1 } })
  )
  const outer = yield* asOwner(
    world,
    createSegment({ name: "Buyers in segments", filter: { field: "segment", op: "in", value: inner.id } })
  )
  const filter: FilterInput = {
    any: [
      { field: "createdAt", op: "is_set" },
      { field: "segment", op: "in", value: outer.id },
      { not: { field: "conversationStatus", op: "any_of", value: ["open"] } },
      { all: [{ field: "lastBroadcastAt", op: "is_set" }] }
    ]
  }
  return filter
})

/** Permissions of the fields of that filter. */
export const ofFilter: ReadonlyArray<Permission> = [
  "contacts.read",
  "conversations.read",
  "broadcasts.read",
  "commerce.read"
]

const ofActions: ReadonlyArray<Permission> = [
  "contacts.manage",
  "conversations.manage",
  "workflows.manage",
  ...ofFilter
]

const node = (id: string) => NodeId.make(id)
const end = { id: node("end"), kind: "end" } as const

/** A published workflow that changes conversations. Other workflows start it. */
const givenStarted = ({ organization }: World) =>
  givenActiveWorkflow(organization, {
    entry: { event: null, next: node("urgent") },
    nodes: [
      { id: node("urgent"), kind: "action", action: { type: "set_priority", priority: "high" }, next: end.id },
      end
    ]
  })

/** A graph that filters, tags, and starts a workflow that changes conversations. */
const reachingGraph = Effect.fnUntraced(function* (world: World) {
  const [tag, started] = [yield* givenTag(world.organization), yield* givenStarted(world)]
  const graph: Graph = {
    entry: { event: null, next: node("which") },
    nodes: [
      {
        id: node("which"),
        kind: "branch",
        branches: [{ if: yield* reachingFilter(world), next: node("tag") }],
        else: end.id
      },
      { id: node("tag"), kind: "action", action: { type: "tag", tagIds: [tag.id] }, next: node("start") },
      { id: node("start"), kind: "action", action: { type: "start_workflow", workflowId: started.id }, next: end.id },
      end
    ]
  }
  return graph
})

const reachingDefinition = Effect.fnUntraced(function* (world: World) {
  const [tag, started] = [yield* givenTag(world.organization), yield* givenStarted(world)]
  const definition: Omit<NewAutomation, "name"> = {
    when: { event: "message.received" },
    if: yield* reachingFilter(world),
    then: [
      { type: "tag", tagIds: [tag.id] },
      { type: "start_workflow", workflowId: started.id }
    ]
  }
  return definition
})

const givenAutomation = Effect.fnUntraced(function* (world: World) {
  return yield* asOwner(world, createAutomation({ name: "Reaching", ...(yield* reachingDefinition(world)) }))
})

const givenWorkflow = Effect.fnUntraced(function* (world: World) {
  return yield* givenActiveWorkflow(world.organization, yield* reachingGraph(world))
})

const givenDraftWorkflow = Effect.fnUntraced(function* (world: World) {
  return yield* asOwner(world, createWorkflow({ name: "Reaching", graph: yield* reachingGraph(world) }))
})

const givenPaused = Effect.fnUntraced(function* (world: World) {
  const workflow = yield* givenWorkflow(world)
  return yield* asOwner(world, pauseWorkflow({ id: workflow.id, ifVersion: null }))
})

const on = <A>(given: (world: World) => Effect.Effect<A, never, Ports>, needs: ReadonlyArray<Permission>) => {
  return (call: (made: A, world: World) => ReachingCall) => (world: World) =>
    Effect.map(given(world), (made): Reaching => ({ needs, call: call(made, world) }))
}

/** A complete draft with its audience. */
const givenBroadcast = Effect.fnUntraced(function* (world: World) {
  const { id: chatAccountId } = yield* givenNumber(world.organization)
  yield* givenContact(world.organization, { name: "Ada", phone: "+491701234567" })
  const now = yield* DateTime.now
  const template = new MessageTemplate({
    id: yield* nextId(MessageTemplateId),
    chatAccountId,
    name: "hello",
    language: "en",
    category: "utility",
    components: { body: { text: "Hello." } },
    variables: [],
    status: "approved",
    rejectionReason: null,
    quality: "unknown",
    externalId: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* asOwner(world, transact(Effect.flatMap(MessageTemplates, (templates) => templates.insert(template))))
  const audience = yield* reachingFilter(world)
  return yield* asOwner(world, createBroadcast({ name: "Reaching", chatAccountId, templateId: template.id, audience }))
})

const givenSent = Effect.fnUntraced(function* (world: World) {
  const broadcast = yield* givenBroadcast(world)
  return yield* asOwner(world, sendBroadcast({ id: broadcast.id, ifVersion: null }))
})

const givenPausedBroadcast = Effect.fnUntraced(function* (world: World) {
  const { id } = yield* givenSent(world)
  return yield* asOwner(world, pauseBroadcast({ id }))
})

const onBroadcast = (call: (broadcast: Broadcast, world: World) => ReachingCall) => on(givenBroadcast, ofFilter)(call)

const ofPlugin: ReadonlyArray<Permission> = ["contacts.read", "commerce.read"]

const manifest = { ...aManifest, permissions: ofPlugin }

const { lifecycle: _, ...silent } = manifest

/** Permissions to read the bodies of `call_webhook`. */
const ofCalls: ReadonlyArray<Permission> = ["contacts.read", "conversations.read", "commerce.read"]

const ofSubscription: ReadonlyArray<Permission> = ["contacts.read", "conversations.read"]

const subscribed = ({ organization }: World) =>
  givenSubscription(organization, { ...aSubscription, events: ["tag.*", "message.received"] })

const inFuture = Effect.map(DateTime.now, (now) => ({ at: DateTime.add(now, { days: 1 }) }))

/** A definition that reaches many permissions, for each use case with `actsThrough`. */
export const reaching: Readonly<Record<string, (world: World) => Effect.Effect<Reaching, never, Ports>>> = {
  "automation.create": on(
    reachingDefinition,
    ofActions
  )((definition) => createAutomation({ name: "A", ...definition })),
  "automation.update": (world) =>
    Effect.gen(function* () {
      const { id } = yield* asOwner(world, createAutomation({ name: "Plain" }))
      return {
        needs: ofActions,
        call: updateAutomation({ id, ...(yield* reachingDefinition(world)), ifVersion: null })
      }
    }),
  "automation.enable": on(givenAutomation, ofActions)(({ id }) => enableAutomation({ id, ifVersion: null })),
  "automation.rotateTriggerUrl": on(givenAutomation, ofActions)(({ id }) => rotateTriggerUrl({ id })),
  "automation.rerunRuns": on(
    (world: World) =>
      Effect.flatMap(givenAutomation(world), ({ id }) => asOwner(world, enableAutomation({ id, ifVersion: null }))),
    ofActions
  )(({ id }) => rerunAutomationRuns({ id, filter: {}, preview: true })),
  "automation.test": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(world)
      const { position } = yield* givenReceived(world.organization, yield* givenConversation(world.organization))
      return { needs: ofActions, call: testAutomation({ id, position }) }
    }),
  "automationSettings.update": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(world)
      yield* asOwner(world, enableAutomation({ id, ifVersion: null }))
      yield* asOwner(world, updateAutomationSettings({ paused: true, ifVersion: null }))
      return { needs: ofActions, call: updateAutomationSettings({ paused: false, ifVersion: null }) }
    }),
  "workflows.create": on(reachingGraph, ofActions)((graph) => createWorkflow({ name: "W", graph })),
  "workflows.update": (world) =>
    Effect.gen(function* () {
      const { id } = yield* asOwner(world, createWorkflow({ name: "Plain" }))
      return { needs: ofActions, call: updateWorkflow({ id, graph: yield* reachingGraph(world), ifVersion: null }) }
    }),
  "workflows.publish": on(givenDraftWorkflow, ofActions)(({ id }) => publishWorkflow({ id, ifVersion: null })),
  "workflows.resume": on(givenPaused, ofActions)(({ id }) => resumeWorkflow({ id, ifVersion: null })),
  "workflows.archive": on(givenPaused, ofActions)(({ id }) => archiveWorkflow({ id, runs: "finish", ifVersion: null })),
  "workflows.enroll": on(givenWorkflow, ofActions)(({ id }) => enrollContacts({ id, audience: {} })),
  "workflows.rerunRuns": on(givenWorkflow, ofActions)(({ id }) => rerunWorkflowRuns({ id, filter: {}, preview: true })),
  "workflows.startRun": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenWorkflow(world)
      const contact = yield* givenContact(world.organization)
      return { needs: ofActions, call: startWorkflowRun({ id, contactId: contact.id }) }
    }),
  "workflows.test": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenWorkflow(world)
      const contact = yield* givenContact(world.organization)
      return { needs: ofActions, call: testWorkflow({ id, contactId: contact.id }) }
    }),
  "workflows.continueRun": (world) =>
    Effect.gen(function* () {
      const { entry, nodes } = yield* reachingGraph(world)
      const wait: WorkflowNode = { id: node("w"), kind: "wait", seconds: 60, next: node("which") }
      const graph: Graph = { entry: { ...entry, next: wait.id }, nodes: [wait, ...nodes] }
      const { id } = yield* givenActiveWorkflow(world.organization, graph)
      const run = yield* givenWorkflowRun(world.organization, id)
      return { needs: ofActions, call: continueWorkflowRun({ id, runId: run.id }) }
    }),
  "workflows.migrateRuns": (world) =>
    Effect.gen(function* () {
      const workflow = yield* givenActiveWorkflow(world.organization)
      yield* givenNextVersion(world.organization, workflow, yield* reachingGraph(world))
      return { needs: ofActions, call: migrateWorkflowRuns({ id: workflow.id, fromVersion: 1 }) }
    }),
  "broadcasts.create": on(reachingFilter, ofFilter)((audience) => createBroadcast({ name: "B", audience })),
  "broadcasts.update": on(
    reachingFilter,
    ofFilter
  )((exclude, world) =>
    Effect.flatMap(asOwner(world, createBroadcast({ name: "Plain" })), ({ id }) =>
      updateBroadcast({ id, exclude, ifVersion: null })
    )
  ),
  "broadcasts.duplicate": onBroadcast(({ id }) => duplicateBroadcast({ id })),
  "broadcasts.preview": onBroadcast(({ audience, chatAccountId, templateId }) =>
    previewAudience({
      templateId,
      ...(audience !== null && { audience }),
      ...(chatAccountId !== null && { chatAccountId })
    })
  ),
  "broadcasts.simulate": onBroadcast(({ id }) => simulateBroadcast({ id })),
  "broadcasts.test": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenBroadcast(world)
      const contact = yield* givenContact(world.organization)
      return {
        needs: ["contacts.read"],
        call: testBroadcast({ id, to: ["+491701234568"], contactId: contact.id })
      }
    }),
  "broadcasts.send": onBroadcast(({ id }) => sendBroadcast({ id, ifVersion: null })),
  "broadcasts.schedule": onBroadcast(({ id }) =>
    Effect.flatMap(inFuture, (schedule) => scheduleBroadcast({ id, schedule, ifVersion: null }))
  ),
  "broadcasts.resume": on(givenPausedBroadcast, ofFilter)(({ id }) => resumeBroadcast({ id })),
  "broadcasts.retry": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenSent(world)
      yield* asOwner(world, freezeSlice(id))
      yield* asOwner(world, cancelBroadcast({ id }))
      return { needs: ofFilter, call: retryBroadcast({ id, statuses: ["never_sent"] }) }
    }),
  "webhookSubscriptions.enable": (world) =>
    Effect.gen(function* () {
      const { id } = yield* subscribed(world)
      yield* asOwner(world, disableWebhookSubscription({ id, ifVersion: null }))
      return { needs: ofSubscription, call: enableWebhookSubscription({ id, ifVersion: null }) }
    }),
  "webhookSubscriptions.replay": on(subscribed, ofSubscription)(({ id }) => replayWebhookEvents({ id, after: 0 })),
  "webhookSubscriptions.redeliver": (world) =>
    Effect.gen(function* () {
      const { id } = yield* subscribed(world)
      const delivery = yield* givenWebhookDelivery(world.organization, id, 1, "automation.call")
      return {
        needs: [...new Set([...ofSubscription, ...ofCalls])],
        call: redeliverWebhook({ id, deliveryId: delivery.id })
      }
    }),
  "webhookSubscriptions.rotateSecret": on(subscribed, ofSubscription)(({ id }) => rotateWebhookSecret({ id })),
  "webhookSubscriptions.test": on(
    ({ organization }) => givenSubscription(organization, { events: [] }),
    ofCalls
  )(({ id }) => testWebhookSubscription({ id })),
  "webhookSubscriptions.update": on(
    ({ organization }) => givenSubscription(organization, { events: [] }),
    ofCalls
  )(({ id }) => updateWebhookSubscription({ id, url: "https://other.example/hook", ifVersion: null })),
  "plugins.install": () =>
    Effect.succeed({ needs: ofPlugin, call: installPlugin({ manifest: silent, grants: ofPlugin }) }),
  "plugins.enable": on(
    ({ organization }) => putPlugin(organization, { manifest, status: "disabled" }),
    ofPlugin
  )(({ id }) => enablePlugin({ id, ifVersion: null })),
  "plugins.update": on(
    ({ organization }) => putPlugin(organization, { manifest }),
    ofPlugin
  )(({ id }) => updatePlugin({ id, settings: { points: 5 }, ifVersion: null })),
  "plugins.rotateSecret": on(
    ({ organization }) => putPlugin(organization, { manifest: silent }),
    ofPlugin
  )(({ id }) => rotatePluginSecret({ id })),
  "plugins.upgrade": (world) =>
    Effect.gen(function* () {
      const { id } = yield* putPlugin(world.organization, { manifest })
      const offered = { ...manifest, version: "1.5.0" }
      yield* (yield* PluginCatalogue).put({ manifest: offered, url: "https://acme.example/plugin.json" })
      return { needs: ofPlugin, call: upgradePlugin({ id, version: "1.5.0", ifVersion: null }) }
    })
}
