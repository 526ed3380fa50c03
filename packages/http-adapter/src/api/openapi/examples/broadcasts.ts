import {
  AudienceSnapshotId,
  Broadcast,
  BroadcastId,
  BroadcastSettings,
  cancelBroadcast,
  createBroadcast,
  Currency,
  deleteBroadcast,
  toDraft,
  duplicateBroadcast,
  exportRecipients,
  getBroadcast,
  getBroadcastSettings,
  initialSettings,
  listBroadcasts,
  listRecipients,
  pauseBroadcast,
  previewAudience,
  toTemplatePreview,
  readBroadcastReport,
  recipientIdAt,
  recipientPrefix,
  resumeBroadcast,
  retryBroadcast,
  type Schedule,
  scheduleBroadcast,
  sendBroadcast,
  simulateBroadcast,
  testBroadcast,
  unscheduleBroadcast,
  updateBroadcast,
  updateBroadcastSettings,
  type Variables
} from "@parley/domain"
import { Stream } from "effect"
import type { BroadcastsApi, BroadcastSettingsApi } from "../../broadcasts.ts"
import type { ExamplesOf } from "./Example.ts"
import { chatAccount, messageTemplate } from "./inbox.ts"
import { ada, at, contact, pageOf, segment } from "./samples.ts"

const id = BroadcastId.make("01934be0-1a2b-7c3d-8e4f-50617283a4b5")

const variables: Variables = {
  "body.first_name": { kind: "field", field: "firstName", fallback: "there" },
  "body.order": { kind: "constant", value: "1867" },
  "buttons.0": { kind: "constant", value: "1867" }
}

const said = {
  name: "Rye bread is back",
  chatAccountId: chatAccount.id,
  templateId: messageTemplate.id,
  variables,
  holdOut: 5,
  audience: { field: "segment", op: "in", value: segment.id }
}

const draft = new Broadcast({
  ...toDraft(id, said, at("14:20:00.000"), { kind: "operator", name: "examples" }),
  createdBy: ada.id
})

const copyId = BroadcastId.make("01934be4-2b3c-7d4e-8f50-61728394a5b6")

const schedule: Schedule = {
  localAt: "2026-11-23T09:00",
  zone: "contact",
  window: { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "18:00" }
}

const scheduled = new Broadcast({
  ...draft,
  schedule,
  status: "scheduled",
  updatedAt: at("14:25:00.000"),
  version: 3
})

const started = new Broadcast({
  ...draft,
  status: "sending",
  startedAt: at("14:30:00.000"),
  updatedAt: at("14:30:00.000"),
  version: 4
})

export const sending = new Broadcast({
  ...draft,
  status: "sending",
  stats: {
    matched: 12_000,
    pending: 4_000,
    inFlight: 64,
    inDoubt: 2,
    sent: 1_000,
    delivered: 2_500,
    read: 1_900,
    failed: 30,
    excluded: 2_004,
    heldOut: 500,
    neverSent: 0
  },
  frozenAt: at("14:30:02.000"),
  startedAt: at("14:30:00.000"),
  updatedAt: at("14:30:00.000"),
  version: 4
})

export const broadcasts: ExamplesOf<typeof BroadcastsApi> = {
  list: { runs: listBroadcasts, answer: pageOf(sending) },
  create: { runs: createBroadcast, request: said, answer: draft },
  preview: {
    runs: previewAudience,
    request: { ...said, freeze: true },
    answer: {
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
    answer: {
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
    answer: {
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
  get: { runs: getBroadcast, answer: sending },
  recipients: {
    runs: listRecipients,
    answer: pageOf({
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
  exportRecipients: { runs: exportRecipients, answer: Stream.empty },
  report: {
    runs: readBroadcastReport,
    answer: {
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
    answer: new Broadcast({ ...draft, throttle: { perMinute: 600 }, updatedAt: at("14:22:00.000"), version: 2 })
  },
  delete: { runs: deleteBroadcast },
  schedule: { runs: scheduleBroadcast, request: { schedule }, answer: scheduled },
  unschedule: {
    runs: unscheduleBroadcast,
    answer: new Broadcast({ ...scheduled, status: "draft", updatedAt: at("14:26:00.000"), version: 4 })
  },
  send: { runs: sendBroadcast, request: {}, answer: started },
  pause: {
    runs: pauseBroadcast,
    answer: new Broadcast({
      ...started,
      status: "paused",
      pause: { reason: "user", at: at("14:32:00.000"), by: null },
      updatedAt: at("14:32:00.000"),
      version: 5
    })
  },
  resume: { runs: resumeBroadcast, answer: new Broadcast({ ...started, updatedAt: at("14:33:00.000"), version: 6 }) },
  cancel: {
    runs: cancelBroadcast,
    answer: {
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
    answer: new Broadcast({
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
    answer: new Broadcast({
      ...draft,
      id: copyId,
      holdOut: 0,
      source: { broadcastId: id, kind: "retry" },
      retry: { broadcastId: id, statuses: ["failed", "never_sent"], codes: ["recipient_busy"] },
      createdAt: at("15:00:00.000"),
      updatedAt: at("15:00:00.000")
    })
  }
}

const changedSettings = {
  quietHours: { from: "21:00", to: "08:00" },
  frequencyCaps: [{ category: "marketing", max: 2, days: 7 }],
  optOutKeywords: { de: ["Kein Brot mehr"] }
} as const

const settings = new BroadcastSettings({ ...initialSettings, ...changedSettings, version: 2 })

export const broadcastSettings: ExamplesOf<typeof BroadcastSettingsApi> = {
  get: { runs: getBroadcastSettings, answer: settings },
  update: { runs: updateBroadcastSettings, request: changedSettings, answer: settings }
}
