import { assert, layer } from "@effect/vitest"
import { setOrganizationPlan } from "@parley/domain/platform"
import { deleteWebhookSubscription, uninstallPlugin } from "@parley/domain/integrations"
import {
  archiveWorkflow,
  createSchedule,
  createWorkflow,
  deleteSchedule,
  deleteWorkflow,
  drawWorkflow,
  getWorkflow,
  type Graph,
  listWorkflowVersions,
  NodeId,
  pauseWorkflow,
  publishWorkflow,
  resumeWorkflow,
  updateWorkflow,
  type Workflow,
  type WorkflowNode,
  type WorkflowVersion
} from "@parley/domain/automation"
import { listEvents } from "@parley/domain/composition"
import {
  actingIn,
  asOperatorOf,
  asOwnerOf,
  givenOrganization,
  givenSubscription,
  putPlugin,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { tagOf } from "../../tagOf.ts"

const id = (name: string) => NodeId.make(name)
const end: WorkflowNode = { id: id("end"), kind: "end" }
const onScale = givenOrganization({ plan: "scale" })

const graphOf = (...nodes: ReadonlyArray<WorkflowNode>): Graph => ({
  entry: { event: { event: "message.received" }, next: nodes[0]?.id ?? end.id },
  nodes: [...nodes, end]
})

const sound = graphOf({ id: id("w"), kind: "wait", seconds: 60, next: end.id })

const drafted = (graph: Graph = sound) => createWorkflow({ name: "Cart", graph })

const eventsOf = Effect.map(listEvents({ page: { limit: 100, cursor: null } }), ({ data }) =>
  data.map(({ event }) => event.event).filter(({ type }) => type.startsWith("workflow."))
)

const inEach = {
  draft: drafted(),
  active: Effect.flatMap(drafted(), ({ id }) => publishWorkflow({ id, ifVersion: null })),
  paused: Effect.flatMap(drafted(), ({ id }) =>
    Effect.andThen(publishWorkflow({ id, ifVersion: null }), pauseWorkflow({ id, ifVersion: null }))
  ),
  archived: Effect.flatMap(drafted(), ({ id }) =>
    Effect.andThen(publishWorkflow({ id, ifVersion: null }), archiveWorkflow({ id, ifVersion: null }))
  )
} as const

type Owner = ReturnType<typeof asOwnerOf>

/** Status changes of a workflow, each with its result. */
const moves = {
  publish: ({ id }: Workflow, asOwner: Owner) => tagOf(publishWorkflow({ id, ifVersion: null })).pipe(asOwner),
  pause: ({ id }: Workflow, asOwner: Owner) => tagOf(pauseWorkflow({ id, ifVersion: null })).pipe(asOwner),
  resume: ({ id }: Workflow, asOwner: Owner) => tagOf(resumeWorkflow({ id, ifVersion: null })).pipe(asOwner),
  archive: ({ id }: Workflow, asOwner: Owner) =>
    tagOf(archiveWorkflow({ id, runs: "exit", ifVersion: null })).pipe(asOwner),
  delete: ({ id }: Workflow, asOwner: Owner) => tagOf(deleteWorkflow({ id, ifVersion: null })).pipe(asOwner)
} as const

const no = "WorkflowTransitionInvalid"

const table = [
  ["draft", { publish: "active", pause: no, resume: no, archive: no, delete: "gone" }],
  ["active", { publish: "active", pause: "paused", resume: no, archive: "archived", delete: "WorkflowInUse" }],
  ["paused", { publish: "paused", pause: no, resume: "active", archive: "archived", delete: "WorkflowInUse" }],
  ["archived", { publish: no, pause: no, resume: no, archive: no, delete: "gone" }]
] as const

layer(TestKit.layer)("publishing workflows", (it) => {
  it.effect("keeps each published version unchanged when the draft changes", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const { id } = yield* drafted()
        const first = yield* publishWorkflow({ id, ifVersion: 1 })
        assert.deepStrictEqual([first.status, first.publishedVersion, first.version], ["active", 1, 2])
        const other = graphOf()
        yield* updateWorkflow({ id, graph: other, ifVersion: 2 })
        assert.strictEqual((yield* getWorkflow({ id })).publishedVersion, 1)
        assert.notInclude(yield* drawWorkflow({ id }), "wait")
        assert.include(yield* drawWorkflow({ id, version: 1 }), "wait")
        const second = yield* publishWorkflow({ id, ifVersion: 3 })
        assert.deepStrictEqual([second.publishedVersion, second.version], [2, 4])
        const { data } = yield* listWorkflowVersions({ id, page: { limit: 10, cursor: null } })
        assert.deepStrictEqual(
          data.map(({ graph, number }: WorkflowVersion) => [number, graph]),
          [
            [2, other],
            [1, sound]
          ]
        )
        const [created, ...events] = yield* eventsOf
        assert.strictEqual(created?.type, "workflow.created")
        assert.deepStrictEqual(
          events.flatMap((event) =>
            event.type === "workflow.published" ? [[event.workflowId, event.publishedVersion]] : []
          ),
          [1, 2].map((publishedVersion) => [id, publishedVersion])
        )
      }).pipe(asOwnerOf(yield* onScale))
    })
  )

  it.effect.each(table)("goes from %s where the table says", ([status, expected]) =>
    Effect.gen(function* () {
      const asOwner = asOwnerOf(yield* onScale)
      for (const name of ["publish", "pause", "resume", "archive", "delete"] as const) {
        const workflow = yield* inEach[status].pipe(asOwner)
        const tag = yield* moves[name](workflow, asOwner)
        const outcome =
          tag === "ok"
            ? yield* Effect.match(getWorkflow({ id: workflow.id }).pipe(asOwner), {
                onFailure: () => "gone",
                onSuccess: (found) => found.status
              })
            : tag
        assert.strictEqual(outcome, expected[name], name)
      }
    })
  )

  it.effect("requires the expected version, and succeeds once among concurrent calls", () =>
    Effect.gen(function* () {
      const asOwner = asOwnerOf(yield* onScale)
      const { id } = yield* drafted().pipe(asOwner)
      const tags = yield* Effect.replicateEffect(tagOf(publishWorkflow({ id, ifVersion: 1 })).pipe(asOwner), 10, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(tags.toSorted(), [...Array.from({ length: 9 }, () => "VersionConflict"), "ok"])
      for (const late of [pauseWorkflow({ id, ifVersion: 1 }), archiveWorkflow({ id, ifVersion: 1 })]) {
        assert.strictEqual(yield* tagOf(late).pipe(asOwner), "VersionConflict")
      }
      assert.strictEqual((yield* getWorkflow({ id }).pipe(asOwner)).publishedVersion, 1)
    })
  )

  it.effect("numbers concurrent versions uniquely", () =>
    Effect.gen(function* () {
      const asOwner = asOwnerOf(yield* onScale)
      const { id } = yield* drafted().pipe(asOwner)
      const published = yield* Effect.replicateEffect(publishWorkflow({ id, ifVersion: null }).pipe(asOwner), 5, {
        concurrency: "unbounded"
      })
      const numbers = published.map(({ publishedVersion }) => publishedVersion ?? 0)
      assert.deepStrictEqual(numbers.toSorted(), [1, 2, 3, 4, 5])
    })
  )

  it.effect("reports the effect of archiving on runs", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        for (const input of [{}, { runs: "exit" }] as const) {
          const { id } = yield* drafted()
          yield* publishWorkflow({ id, ifVersion: null })
          yield* archiveWorkflow({ id, ...input, ifVersion: null })
        }
        const archived = (yield* eventsOf).flatMap((event) => (event.type === "workflow.archived" ? [event.runs] : []))
        assert.deepStrictEqual(archived, ["finish", "exit"])
      }).pipe(asOwnerOf(yield* onScale))
    })
  )

  it.effect("is refused on a plan without workflows, as are all other moves", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const asOwner = asOwnerOf(organization)
      const workflow = yield* inEach.active.pipe(asOwner)
      yield* setOrganizationPlan({ plan: "growth" }).pipe(asOperatorOf(organization))
      for (const move of Object.values(moves)) {
        assert.strictEqual(yield* move(workflow, asOwner), "FeatureNotInPlan")
      }
    })
  )

  it.effect("needs the permissions of every action, for saving and for publishing", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const asOwner = asOwnerOf(organization)
      const graph = graphOf({
        id: id("a"),
        kind: "action",
        action: { type: "set_priority", priority: "high" },
        next: end.id
      })
      const { id: saved } = yield* drafted(graph).pipe(asOwner)
      const managing = actingIn(organization, {
        kind: "delegate",
        for: { kind: "user", id: "somebody" },
        permissions: new Set(["workflows.manage", "workflows.read", "conversations.read"] as const)
      })
      assert.strictEqual(yield* tagOf(drafted(graph)).pipe(managing), "PermissionDenied")
      assert.strictEqual(
        yield* tagOf(publishWorkflow({ id: saved, ifVersion: null })).pipe(managing),
        "PermissionDenied"
      )
      const { id: plain } = yield* drafted().pipe(managing)
      assert.strictEqual(
        yield* tagOf(updateWorkflow({ id: plain, graph, ifVersion: null })).pipe(managing),
        "PermissionDenied"
      )
      assert.strictEqual(
        yield* tagOf(updateWorkflow({ id: saved, name: "Later", ifVersion: null })).pipe(managing),
        "ok"
      )
      assert.strictEqual(yield* tagOf(publishWorkflow({ id: plain, ifVersion: null })).pipe(managing), "ok")
      assert.strictEqual(yield* tagOf(publishWorkflow({ id: saved, ifVersion: null })).pipe(asOwner), "ok")
    })
  )

  it.effect("records dependents for named resources until no active version names them", () =>
    Effect.gen(function* () {
      const organization = yield* onScale
      const asOwner = asOwnerOf(organization)
      const schedule = yield* createSchedule({
        name: "Shop",
        weekly: { mon: [["09:00", "18:00"]] }
      }).pipe(asOwner)
      const subscription = yield* givenSubscription(organization)
      const plugin = yield* putPlugin(organization)
      const acting = (action: Extract<WorkflowNode, { kind: "action" }>["action"]): WorkflowNode => ({
        id: id("a"),
        kind: "action",
        action,
        next: end.id
      })
      const named = [
        {
          graph: graphOf({ id: id("w"), kind: "wait", scheduleId: schedule.id, next: end.id }),
          remove: tagOf(deleteSchedule({ id: schedule.id, ifVersion: null })).pipe(asOwner)
        },
        {
          graph: graphOf({
            id: id("b"),
            kind: "branch",
            branches: [{ if: { field: "schedule", key: schedule.id, op: "is", value: "open" }, next: end.id }],
            else: end.id
          }),
          remove: tagOf(deleteSchedule({ id: schedule.id, ifVersion: null })).pipe(asOwner)
        },
        {
          graph: graphOf(
            acting({
              type: "call_webhook",
              webhookSubscriptionId: subscription.id,
              body: { said: "{{ message.text }}" }
            })
          ),
          remove: tagOf(deleteWebhookSubscription({ id: subscription.id, ifVersion: null })).pipe(asOwner)
        },
        {
          graph: graphOf(
            acting({ type: "plugin_action", pluginId: plugin.id, action: "add_points", input: { points: 7 } })
          ),
          remove: tagOf(uninstallPlugin({ id: plugin.id, ifVersion: null })).pipe(asOwner)
        }
      ]
      const refused = ["ScheduleInUse", "ScheduleInUse", "WebhookSubscriptionInUse", "PluginInUse"]
      for (const [index, { graph, remove }] of named.entries()) {
        const { id } = yield* drafted(graph).pipe(asOwner)
        yield* publishWorkflow({ id, ifVersion: null }).pipe(asOwner)
        assert.strictEqual(yield* remove, refused[index])
        yield* pauseWorkflow({ id, ifVersion: null }).pipe(asOwner)
        yield* updateWorkflow({ id, graph: sound, ifVersion: null }).pipe(asOwner)
        assert.strictEqual(
          yield* remove,
          refused[index],
          "what is paused goes on one day, and the draft is no version yet"
        )
        yield* moves[index % 2 === 0 ? "publish" : "archive"](yield* getWorkflow({ id }).pipe(asOwner), asOwner)
        if (index > 0) assert.strictEqual(yield* remove, "ok")
      }
    })
  )
})
