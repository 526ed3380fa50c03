import { Broadcast, BroadcastId, type Schedule, toDraft, type Variables } from "@parley/domain/campaigns"
import { chatAccount, messageTemplate } from "./inbox.ts"
import { ada, at, segment } from "./samples.ts"

export const id = BroadcastId.make("01934be0-1a2b-7c3d-8e4f-50617283a4b5")

const variables: Variables = {
  "body.first_name": { kind: "field", field: "firstName", fallback: "there" },
  "body.order": { kind: "constant", value: "1867" },
  "buttons.0": { kind: "constant", value: "1867" }
}

export const newBroadcast = {
  name: "Rye bread is back",
  chatAccountId: chatAccount.id,
  templateId: messageTemplate.id,
  variables,
  holdOut: 5,
  audience: { field: "segment", op: "in", value: segment.id }
}

export const draft = new Broadcast({
  ...toDraft(id, newBroadcast, at("14:20:00.000"), { kind: "operator", name: "examples" }),
  createdBy: ada.id
})

export const schedule: Schedule = {
  localAt: "2026-11-23T09:00",
  zone: "contact",
  window: { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "18:00" }
}

export const scheduled = new Broadcast({
  ...draft,
  schedule,
  status: "scheduled",
  updatedAt: at("14:25:00.000"),
  version: 3
})

export const started = new Broadcast({
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
