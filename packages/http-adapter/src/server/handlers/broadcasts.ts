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
      listBroadcasts(
        {
          status: status ?? null,
          chatAccountId: chatAccountId ?? null,
          q: q ?? null,
          createdFrom: createdFrom ?? null,
          createdTo: createdTo ?? null
        },
        pageOf(page)
      ).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => createBroadcast(payload),
    preview: ({ payload }) => previewAudience(payload),
    simulate: ({ params, payload }) => simulateBroadcast(params.id, payload),
    test: ({ params, payload }) => testBroadcast(params.id, payload),
    get: ({ params }) => getBroadcast(params.id),
    recipients: ({ params, query }) =>
      listRecipients(params.id, toRecipientQuery(query), pageOf(query)).pipe(withFaultPointers(inQuery)),
    exportRecipients: ({ params, query: { format, ...query }, request }) => {
      const chosen = formatWanted(request, format)
      return exportRecipients(params.id, toRecipientQuery(query), chosen).pipe(
        withFaultPointers(inQuery),
        Effect.map((bytes) => asFile(bytes, chosen, "recipients"))
      )
    },
    report: ({ params }) => readBroadcastReport(params.id),
    update: ({ headers, params, payload }) => updateBroadcast(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteBroadcast(params.id, expectedVersion(headers)),
    schedule: ({ headers, params, payload }) => scheduleBroadcast(params.id, payload, expectedVersion(headers)),
    unschedule: ({ headers, params }) => unscheduleBroadcast(params.id, expectedVersion(headers)),
    send: ({ headers, params, payload }) => sendBroadcast(params.id, payload, expectedVersion(headers)),
    pause: ({ params }) => pauseBroadcast(params.id),
    resume: ({ params }) => resumeBroadcast(params.id),
    cancel: ({ params }) => Effect.map(cancelBroadcast(params.id), toCancelledBroadcast),
    duplicate: ({ params, payload }) => duplicateBroadcast(params.id, payload),
    retry: ({ params, payload }) => retryBroadcast(params.id, payload)
  })
)

const settings = HttpApiBuilder.group(Api, "broadcastSettings", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    get: () => getBroadcastSettings(),
    update: ({ headers, payload }) => updateBroadcastSettings(payload, expectedVersion(headers))
  })
)

/** Broadcasts and their settings. */
export const layerBroadcasts = Layer.merge(broadcasts, settings)
