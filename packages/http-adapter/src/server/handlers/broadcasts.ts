import {
  cancelBroadcast,
  toCancelledBroadcast,
  createBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
  exportRecipients,
  getBroadcast,
  getBroadcastSettings,
  listBroadcasts,
  listRecipients,
  pauseBroadcast,
  previewAudience,
  readBroadcastReport,
  toRecipientQuery,
  resumeBroadcast,
  retryBroadcast,
  scheduleBroadcast,
  sendBroadcast,
  simulateBroadcast,
  testBroadcast,
  unscheduleBroadcast,
  updateBroadcast,
  updateBroadcastSettings
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faults.ts"
import { asFile, formatWanted } from "./contactTransfer.ts"
import { inQuery } from "./contacts.ts"

const broadcasts = HttpApiBuilder.group(Api, "broadcasts", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { chatAccountId, createdFrom, createdTo, q, status, ...page } }) =>
      listBroadcasts({
        status: status ?? null,
        chatAccountId: chatAccountId ?? null,
        q: q ?? null,
        createdFrom: createdFrom ?? null,
        createdTo: createdTo ?? null,
        page: pageOf(page)
      }).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => createBroadcast(payload),
    preview: ({ payload }) => previewAudience(payload),
    simulate: ({ params, payload }) => simulateBroadcast({ ...params, ...payload }),
    test: ({ params, payload }) => testBroadcast({ ...params, ...payload }),
    get: ({ params }) => getBroadcast(params),
    recipients: ({ params, query }) =>
      listRecipients({ ...params, ...toRecipientQuery(query), page: pageOf(query) }).pipe(withFaultPointers(inQuery)),
    exportRecipients: ({ params, query: { format, ...query }, request }) => {
      const chosen = formatWanted(request, format)
      return exportRecipients({ ...params, ...toRecipientQuery(query), format: chosen }).pipe(
        withFaultPointers(inQuery),
        Effect.map((bytes) => asFile(bytes, chosen, "recipients"))
      )
    },
    report: ({ params }) => readBroadcastReport(params),
    update: ({ headers, params, payload }) =>
      updateBroadcast({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteBroadcast({ ...params, ifVersion: expectedVersion(headers) }),
    schedule: ({ headers, params, payload }) =>
      scheduleBroadcast({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    unschedule: ({ headers, params }) => unscheduleBroadcast({ ...params, ifVersion: expectedVersion(headers) }),
    send: ({ headers, params, payload }) =>
      sendBroadcast({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    pause: ({ params }) => pauseBroadcast(params),
    resume: ({ params }) => resumeBroadcast(params),
    cancel: ({ params }) => Effect.map(cancelBroadcast(params), toCancelledBroadcast),
    duplicate: ({ params, payload }) => duplicateBroadcast({ ...params, ...payload }),
    retry: ({ params, payload }) => retryBroadcast({ ...params, ...payload })
  })
)

const settings = HttpApiBuilder.group(Api, "broadcastSettings", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    get: () => getBroadcastSettings(),
    update: ({ headers, payload }) => updateBroadcastSettings({ ...payload, ifVersion: expectedVersion(headers) })
  })
)

/** Broadcasts and their settings. */
export const layerBroadcasts = Layer.merge(broadcasts, settings)
