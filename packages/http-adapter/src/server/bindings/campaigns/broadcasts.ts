import { Effect, Stream } from "effect"
import { Currency } from "@parley/domain/kernel"
import { toTemplatePreview } from "@parley/domain/messaging"
import {
  AudienceSnapshotId,
  Broadcast,
  BroadcastId,
  cancelBroadcast,
  createBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
  exportRecipients,
  getBroadcast,
  listBroadcasts,
  listRecipients,
  pauseBroadcast,
  previewAudience,
  readBroadcastReport,
  recipientIdAt,
  recipientPrefix,
  resumeBroadcast,
  retryBroadcast,
  scheduleBroadcast,
  sendBroadcast,
  simulateBroadcast,
  testBroadcast,
  toCancelledBroadcast,
  toRecipientQuery,
  unscheduleBroadcast,
  updateBroadcast
} from "@parley/domain/campaigns"
import { BroadcastsApi } from "../../../api/broadcasts.ts"
import { pageOf } from "../../../api/shapes.ts"
import { asFile, formatWanted } from "../../answers/fileAnswers.ts"
import { draft, id, newBroadcast, schedule, scheduled, sending, started } from "../../examples/broadcasts.ts"
import { messageTemplate } from "../../examples/inbox.ts"
import { at, contact, samplePage } from "../../examples/samples.ts"
import { withFaultPointers } from "../../faults.ts"
import { bindWith, inQuery } from "../bind.ts"

const copyId = BroadcastId.make("01934be4-2b3c-7d4e-8f50-61728394a5b6")

export const broadcasts = bindWith(
  BroadcastsApi,
  {
    list: { runs: listBroadcasts, response: samplePage(sending) },
    create: { runs: createBroadcast, request: newBroadcast, response: draft },
    preview: {
      runs: previewAudience,
      request: { ...newBroadcast, freeze: true },
      response: {
        matched: 12_000,
        reachable: 10_000,
        heldOut: 500,
        toSend: 9_500,
        variants: null,
        excluded: { not_subscribed: 1_650, frequency_cap: 350 },
        sample: [
          {
            contactId: contact.id,
            address: "+4930123456",
            preview: toTemplatePreview(messageTemplate, {
              "body.first_name": "Ana",
              "body.order": "1867",
              "buttons.0": "1867"
            })
          }
        ],
        warnings: [
          {
            code: "plan_limit_reached",
            pointer: "",
            detail: "The plan allows 10000 broadcastRecipientsPerMonth; 1200 are in use."
          }
        ],
        notes: [],
        costs: {
          state: "complete",
          currency: Currency.make("EUR"),
          amount: 1_074_450_000,
          messages: 9_500,
          withoutRate: 0
        },
        audienceSnapshotId: AudienceSnapshotId.make("01934be0-1a2b-7c3d-8e4f-50617283a4b9"),
        expiresAt: at("14:20:00.000")
      }
    },
    simulate: {
      runs: simulateBroadcast,
      request: { contactId: contact.id },
      response: {
        toSend: 9_500,
        firstAt: at("14:00:00.000"),
        lastAt: at("18:45:00.000"),
        hours: [{ at: at("14:00:00.000"), count: 2_000 }],
        limitedBy: ["daily_limit"],
        plan: { used: 12_000, max: 100_000 },
        warnings: [],
        contact: { outcome: "excluded", reason: "frequency_cap" }
      }
    },
    test: {
      runs: testBroadcast,
      request: { to: ["+4930123456", "+4930123457"], contactId: contact.id },
      response: {
        results: [
          { to: "+4930123456", status: "sent", error: null },
          {
            to: "+4930123457",
            status: "refused",
            error: { code: "unsubscribed", providerCode: null, reason: "This contact has opted out." }
          }
        ]
      }
    },
    get: { runs: getBroadcast, response: sending },
    recipients: {
      uses: listRecipients,
      response: samplePage({
        id: recipientIdAt(recipientPrefix(id), 1),
        contactId: contact.id,
        name: "Ana",
        address: "+4930123456",
        variant: null,
        status: "failed",
        reason: null,
        error: { code: "recipient_unreachable", providerCode: 131_026, reason: "Message undeliverable" },
        attempts: 1,
        dueAt: null,
        sentAt: null,
        deliveredAt: null,
        readAt: null,
        failedAt: at("14:30:05.000"),
        repliedAt: null,
        optedOutAt: null,
        conversationId: null
      })
    },
    exportRecipients: { uses: exportRecipients, response: Stream.empty },
    report: {
      runs: readBroadcastReport,
      response: {
        broadcastId: id,
        asOf: at("16:00:00.000"),
        funnel: {
          matched: 12_000,
          excluded: 2_010,
          heldOut: 500,
          attempted: 9_490,
          accepted: 9_440,
          failed: 48,
          inDoubt: 2,
          delivered: 9_000,
          read: 6_300,
          replied: 410,
          optedOut: 22,
          neverSent: 0
        },
        excluded: { not_subscribed: 1_650, frequency_cap: 360 },
        failures: { recipient_unreachable: 48 },
        taps: { "Show me": 130 },
        attributedOrders: 240,
        attributed: [{ amountMinor: 999_000, currency: Currency.make("EUR") }],
        variants: null,
        costs: { currency: Currency.make("EUR"), amount: 566_744_100, messages: 5_011, free: 0, withoutRate: 0 },
        clicks: null,
        uplift: {
          value: 0.25,
          treated: { assigned: 9_500, converted: 285 },
          heldOut: { assigned: 500, converted: 12 },
          difference: [-0.0118, 0.0168],
          significant: false
        },
        upliftReason: null
      }
    },
    update: {
      runs: updateBroadcast,
      request: { throttle: { perMinute: 600 } },
      response: new Broadcast({ ...draft, throttle: { perMinute: 600 }, updatedAt: at("14:22:00.000"), version: 2 })
    },
    delete: { runs: deleteBroadcast },
    schedule: { runs: scheduleBroadcast, request: { schedule }, response: scheduled },
    unschedule: {
      runs: unscheduleBroadcast,
      response: new Broadcast({ ...scheduled, status: "draft", updatedAt: at("14:26:00.000"), version: 4 })
    },
    send: { runs: sendBroadcast, request: {}, response: started },
    pause: {
      runs: pauseBroadcast,
      response: new Broadcast({
        ...started,
        status: "paused",
        pause: { reason: "user", at: at("14:32:00.000"), by: null },
        updatedAt: at("14:32:00.000"),
        version: 5
      })
    },
    resume: {
      runs: resumeBroadcast,
      response: new Broadcast({ ...started, updatedAt: at("14:33:00.000"), version: 6 })
    },
    cancel: {
      uses: cancelBroadcast,
      response: {
        id,
        status: "cancelled",
        matched: 12_000,
        sent: 5_400,
        inFlight: 64,
        inDoubt: 2,
        failed: 30,
        excluded: 2_004,
        heldOut: 500,
        neverSent: 4_000
      }
    },
    duplicate: {
      runs: duplicateBroadcast,
      request: { name: "Rye bread is back, again" },
      response: new Broadcast({
        ...draft,
        id: copyId,
        name: "Rye bread is back, again",
        splitKey: copyId,
        source: { broadcastId: id, kind: "duplicate" },
        createdAt: at("15:00:00.000"),
        updatedAt: at("15:00:00.000")
      })
    },
    retry: {
      runs: retryBroadcast,
      request: { statuses: ["failed", "never_sent"], codes: ["recipient_busy"] },
      response: new Broadcast({
        ...draft,
        id: copyId,
        holdOut: 0,
        source: { broadcastId: id, kind: "retry" },
        retry: { broadcastId: id, statuses: ["failed", "never_sent"], codes: ["recipient_busy"] },
        createdAt: at("15:00:00.000"),
        updatedAt: at("15:00:00.000")
      })
    }
  },
  (handlers) =>
    handlers.handleAll({
      recipients: ({ params, query }) =>
        listRecipients({ ...params, ...toRecipientQuery(query), page: pageOf(query) }).pipe(withFaultPointers(inQuery)),
      exportRecipients: ({ params, query: { format, ...query }, request }) => {
        const chosen = formatWanted(request, format)
        return exportRecipients({ ...params, ...toRecipientQuery(query), format: chosen }).pipe(
          withFaultPointers(inQuery),
          Effect.map((bytes) => asFile(bytes, chosen, "recipients"))
        )
      },
      cancel: ({ params }) => Effect.map(cancelBroadcast(params), toCancelledBroadcast)
    })
)
