import { assert, it } from "@effect/vitest"
import {
  BroadcastId,
  type CalledRecipient,
  applyReceipt,
  recipientIdAt,
  recipientPrefix,
  type RecipientStatus
} from "@parley/domain/campaigns"
import { DateTime, Schema } from "effect"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const id = BroadcastId.make("01985d5c-0000-7000-8000-000000000001")

const recipient = (status: RecipientStatus): CalledRecipient => ({
  id: recipientIdAt(recipientPrefix(id), 1),
  broadcastId: id,
  seq: 1,
  status,
  providerMessageId: null,
  error: null,
  calledAt: dawn,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null
})

const ReceiptInput = Schema.Struct({
  status: Schema.Literals(["sent", "delivered", "read", "failed"]),
  seconds: Schema.Literals([-2, -1, 0, 1, 2, 3]),
  code: Schema.Literals([131_026, 131_049, 131_050])
})

const receiptOf = ({ code, seconds, status }: typeof ReceiptInput.Type): Parameters<typeof applyReceipt>[1] => ({
  providerMessageId: "wamid.1",
  status,
  at: DateTime.add(dawn, { seconds }),
  error: status === "failed" ? { code, reason: "No", remedy: "skip_recipient" } : null
})

/** The same in another order, which the numbers draw. */
const shuffled = <A>(all: ReadonlyArray<A>, draws: ReadonlyArray<number>): ReadonlyArray<A> =>
  all
    .map((each, place) => ({ each, draw: draws[place] ?? 0 }))
    .toSorted((one, other) => one.draw - other.draw)
    .map(({ each }) => each)

const Six = Schema.Array(ReceiptInput).check(Schema.isMaxLength(6))
const Draws = Schema.Array(Schema.Int).check(Schema.isBetweenLength(6, 6))
const Called = Schema.Literals(["in_flight", "in_doubt"])

it.prop(
  "give one result for every order and repetition of receipts",
  { status: Called, told: Six, draws: Draws },
  ({ draws, status, told: reported }) => {
    const receipts = reported.map(receiptOf)
    const expected = receipts.reduce(applyReceipt, recipient(status))
    const other = shuffled(receipts, draws)
    assert.deepStrictEqual([...other, ...other].reduce(applyReceipt, recipient(status)), expected)
    const furthest = (["read", "delivered", "failed", "sent"] as const).find((each) =>
      reported.some((receipt) => receipt.status === each)
    )
    assert.strictEqual(expected.status, furthest ?? status)
  }
)

it.prop("move no recipient that was not called", { told: ReceiptInput }, ({ told: reported }) => {
  for (const status of ["pending", "excluded", "held_out", "never_sent"] as const) {
    const before = recipient(status)
    assert.strictEqual(applyReceipt(before, receiptOf(reported)), before)
  }
})
