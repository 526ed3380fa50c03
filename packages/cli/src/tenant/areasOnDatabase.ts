import {
  archiveWorkflow,
  cancelWorkflowRun,
  createAutomation,
  createWebhookSubscription,
  createWorkflow,
  type CurrentActor,
  type CurrentOrganization,
  deleteAutomation,
  deleteWebhookSubscription,
  deleteWorkflow,
  disableAutomation,
  disableWebhookSubscription,
  drawWorkflow,
  enableAutomation,
  enableWebhookSubscription,
  enrollContacts,
  getAutomation,
  getAutomationRun,
  getAutomationSettings,
  getWebhookDelivery,
  getWebhookSubscription,
  getWorkflow,
  getWorkflowRun,
  listAutomationRuns,
  listAutomations,
  listEvents,
  listEventTypes,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  listWorkflowRuns,
  listWorkflows,
  listWorkflowVersions,
  migrateWorkflowRuns,
  pauseWorkflow,
  type Ports,
  publishWorkflow,
  readAgents,
  readBroadcastFigures,
  readCosts,
  readHeatmap,
  readLive,
  readOverview,
  readSeries,
  redeliverWebhook,
  replayWebhookEvents,
  resumeWorkflow,
  rotateWebhookSecret,
  startWorkflowRun,
  testAutomation,
  testWebhookSubscription,
  updateAutomation,
  updateAutomationSettings,
  updateWebhookSubscription,
  updateWorkflow,
  validateWorkflow
} from "@parley/domain"
import { DateTime, Duration, Effect, Option, Predicate, Stream } from "effect"
import type { Calls, Tenant } from "./Tenant.ts"

type Inside = Ports | CurrentActor | CurrentOrganization

/** Runs a use case without a service. */
export type Here = <A, E>(effect: Effect.Effect<A, E, Inside>) => Effect.Effect<A, E>

/** Converts page parameters to the format of use cases. */
export const pageOf = ({ cursor, limit }: { readonly cursor?: string; readonly limit?: number }) => ({
  limit: limit ?? 25,
  cursor: cursor ?? null
})

/** Maps the calls for events and webhook subscriptions to the use cases. */
export const webhooksOnDatabase = (here: Here): Pick<Calls, "events" | "webhookSubscriptions"> => ({
  events: {
    list: ({ query = {} } = {}) =>
      here(
        Effect.map(
          listEvents(
            {
              ...(query.type !== undefined && { types: query.type }),
              ...(query.since !== undefined && { since: query.since })
            },
            { limit: query.limit ?? 25, cursor: query.after ?? null }
          ),
          ({ data, nextCursor }) => ({ data: data.map(({ cursor, event }) => ({ ...event, cursor })), nextCursor })
        )
      ),
    listTypes: () => here(listEventTypes())
  },
  webhookSubscriptions: {
    list: ({ query = {} } = {}) => here(listWebhookSubscriptions(pageOf(query))),
    get: ({ params }) => here(getWebhookSubscription(params.id)),
    create: ({ payload }) => here(createWebhookSubscription(payload)),
    update: ({ headers = {}, params, payload = {} }) =>
      here(updateWebhookSubscription(params.id, payload, headers["if-match"] ?? null)),
    delete: ({ headers = {}, params }) => here(deleteWebhookSubscription(params.id, headers["if-match"] ?? null)),
    enable: ({ headers = {}, params }) => here(enableWebhookSubscription(params.id, headers["if-match"] ?? null)),
    disable: ({ headers = {}, params }) => here(disableWebhookSubscription(params.id, headers["if-match"] ?? null)),
    test: ({ params, payload = {} }) => here(testWebhookSubscription(params.id, payload)),
    rotateSecret: ({ params, payload = {} }) => here(rotateWebhookSecret(params.id, payload)),
    listDeliveries: ({ params, query = {} }) =>
      here(
        listWebhookDeliveries(
          params.id,
          { state: query.state ?? null, type: query.type ?? null, from: query.from ?? null, to: query.to ?? null },
          pageOf(query)
        )
      ),
    getDelivery: ({ params }) => here(getWebhookDelivery(params.id, params.deliveryId)),
    redeliver: ({ params }) => here(redeliverWebhook(params.id, params.deliveryId)),
    replay: ({ params, payload = {} }) => here(replayWebhookEvents(params.id, payload))
  }
})

const lookEvery = Duration.seconds(1)

const atOnce = 100

/** Position in the feed, and whether the last read reached the end. */
interface Place {
  readonly from: { readonly after: string } | { readonly since: DateTime.Utc }
  readonly isAtEnd: boolean
}

/** Follows the feed by polling the database. A service is not needed. */
export const followOnDatabase =
  ({ events }: Pick<Calls, "events">): Tenant["follow"] =>
  ({ after, since, type }) => {
    const begin = Effect.gen(function* () {
      if (after !== undefined) return { after }
      if (since !== undefined) return { since: Predicate.isString(since) ? DateTime.makeUnsafe(since) : since }
      // A page that is not full ends at the end of the log, with any filter.
      const { nextCursor } = yield* events.list({ query: { limit: atOnce, type: ["organization.created"] } })
      return { after: nextCursor ?? "" }
    })
    const look = Effect.fnUntraced(function* ({ from, isAtEnd }: Place) {
      if (isAtEnd) yield* Effect.sleep(lookEvery)
      const { data, nextCursor } = yield* events.list({
        query: { ...(type !== undefined && { type }), limit: atOnce, ...from }
      })
      const next = nextCursor === null ? from : { after: nextCursor }
      return [data, Option.some<Place>({ from: next, isAtEnd: data.length < atOnce })] as const
    })
    return Stream.unwrap(Effect.map(begin, (from) => Stream.paginate({ from, isAtEnd: false } as Place, look)))
  }

/** Maps the analytics calls to the use cases. */
export const analyticsOnDatabase = (here: Here): Pick<Calls, "analytics"> => ({
  analytics: {
    overview: ({ query }) => here(readOverview(query.period)),
    series: ({ query: { figure: figures, ...query } }) => here(readSeries({ ...query, figures })),
    agents: ({ query = {} } = {}) => here(readAgents({ ...query, sort: query.sort ?? "-replies" }, pageOf(query))),
    broadcasts: ({ query = {} } = {}) => here(readBroadcastFigures(query, pageOf(query))),
    costs: ({ query = {} } = {}) => here(readCosts({ ...query, by: query.by ?? "category" })),
    heatmap: ({ query = {} } = {}) => here(readHeatmap({ ...query, figure: query.figure ?? "messages.inbound.total" })),
    live: ({ query = {} } = {}) => here(readLive(query.chatAccountId))
  }
})

/** Maps the calls for automations to the use cases. */
export const automationsOnDatabase = (here: Here): Pick<Calls, "automations"> => ({
  automations: {
    list: ({ query = {} } = {}) => here(listAutomations(pageOf(query))),
    get: ({ params }) => here(getAutomation(params.id)),
    create: ({ payload }) => here(createAutomation(payload)),
    update: ({ headers = {}, params, payload = {} }) =>
      here(updateAutomation(params.id, payload, headers["if-match"] ?? null)),
    delete: ({ headers = {}, params }) => here(deleteAutomation(params.id, headers["if-match"] ?? null)),
    enable: ({ headers = {}, params }) => here(enableAutomation(params.id, headers["if-match"] ?? null)),
    disable: ({ headers = {}, params }) => here(disableAutomation(params.id, headers["if-match"] ?? null)),
    test: ({ params, payload }) => here(testAutomation(params.id, payload)),
    listRuns: ({ params, query = {} }) => here(listAutomationRuns(params.id, query, pageOf(query))),
    getRun: ({ params }) => here(getAutomationRun(params.id, params.runId)),
    settings: () => here(getAutomationSettings()),
    updateSettings: ({ headers = {}, payload = {} } = {}) =>
      here(updateAutomationSettings(payload, headers["if-match"] ?? null))
  }
})

/** Maps the calls for workflows to the use cases. */
export const workflowsOnDatabase = (here: Here): Pick<Calls, "workflows"> => ({
  workflows: {
    list: ({ query = {} } = {}) => here(listWorkflows(pageOf(query))),
    get: ({ params }) => here(getWorkflow(params.id)),
    create: ({ payload }) => here(createWorkflow(payload)),
    update: ({ headers = {}, params, payload = {} }) =>
      here(updateWorkflow(params.id, payload, headers["if-match"] ?? null)),
    delete: ({ headers = {}, params }) => here(deleteWorkflow(params.id, headers["if-match"] ?? null)),
    validate: ({ params }) => here(validateWorkflow(params.id)),
    publish: ({ headers = {}, params }) => here(publishWorkflow(params.id, headers["if-match"] ?? null)),
    pause: ({ headers = {}, params }) => here(pauseWorkflow(params.id, headers["if-match"] ?? null)),
    resume: ({ headers = {}, params }) => here(resumeWorkflow(params.id, headers["if-match"] ?? null)),
    enroll: ({ params, payload }) => here(enrollContacts(params.id, payload)),
    listRuns: ({ params, query = {} }) => here(listWorkflowRuns(params.id, query, pageOf(query))),
    getRun: ({ params }) => here(getWorkflowRun(params.id, params.runId)),
    startRun: ({ params, payload }) => here(startWorkflowRun(params.id, payload)),
    migrateRuns: ({ params, payload }) => here(migrateWorkflowRuns(params.id, payload)),
    cancelRun: ({ params }) => here(cancelWorkflowRun(params.id, params.runId)),
    archive: ({ headers = {}, params, payload = {} }) =>
      here(archiveWorkflow(params.id, payload, headers["if-match"] ?? null)),
    draw: ({ params, query = {} }) => here(drawWorkflow(params.id, query.version ?? null)),
    listVersions: ({ params, query = {} }) => here(listWorkflowVersions(params.id, pageOf(query)))
  }
})
