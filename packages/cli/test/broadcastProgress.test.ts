import { assert, describe, it } from "@effect/vitest"
import { Broadcast, BroadcastId, type BroadcastStats, toDraft } from "@parley/domain/campaigns"
import { DateTime } from "effect"
import { broadcastLine, type Look, withLook } from "../src/commands/broadcasts/report.ts"

const draft = toDraft(
  BroadcastId.make("01934b78-4c50-7d77-8f91-607182930415"),
  { name: "Spring" },
  DateTime.makeUnsafe("2026-11-22T12:00:00Z"),
  { kind: "operator", name: "test" }
)

const broadcastIn = (status: Broadcast["status"], stats: Partial<BroadcastStats>) =>
  new Broadcast({ ...draft, status, stats: { ...draft.stats, ...stats } })

const sending = (sent: number) => broadcastIn("sending", { matched: 120, excluded: 20, sent, pending: 100 - sent })

const looksAt = (...looks: ReadonlyArray<readonly [millis: number, broadcast: Broadcast]>) =>
  looks.reduce<ReadonlyArray<Look>>((before, [millis, broadcast]) => withLook(before, { broadcast, millis }), [])

describe("the line of a broadcast that is watched", () => {
  it("says how many it is through with, how fast it goes, and how long it will go on so", () => {
    assert.strictEqual(
      broadcastLine(sending(40), looksAt([0, sending(20)], [10_000, sending(40)])),
      "[############..................]  40 %  sending, 40 sent, 0 delivered, 0 read, 0 failed, 0 in doubt, 2.0/s, 0:30 left"
    )
  })

  it("knows no pace at the first look, and none from before a pause", () => {
    const paused = broadcastIn("paused", { matched: 100, sent: 20, pending: 80 })
    for (const looks of [looksAt([0, sending(20)]), looksAt([0, sending(0)], [1_000, paused], [2_000, sending(20)])]) {
      assert.match(broadcastLine(sending(20), looks), /20 sent, .+ 0 in doubt$/)
    }
  })

  it("takes the pace of the last ten seconds", () => {
    const looks = looksAt([0, sending(0)], [50_000, sending(50)], [60_000, sending(55)])
    assert.include(broadcastLine(sending(55), looks), "0.5/s, 1:30 left")
  })

  it("leaves unsent recipients out of the bar, and stays empty without recipients", () => {
    const cancelled = broadcastIn("cancelled", { matched: 10, read: 1, failed: 1, inDoubt: 1, neverSent: 7 })
    assert.match(
      broadcastLine(cancelled, looksAt([0, cancelled])),
      / 30 % {2}cancelled, 1 sent, 1 delivered, 1 read, 1 failed, 1 in doubt$/
    )
    assert.match(broadcastLine(broadcastIn("sending", {}), []), /^\[\.+\] {3}0 % {2}sending, 0 sent/)
  })
})
