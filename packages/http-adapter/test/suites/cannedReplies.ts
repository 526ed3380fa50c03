import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { added, addedId, as, idOf } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant } from "../harness/tenants.ts"

/** Answers that the team gives often. */
export const cannedRepliesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a reply is added, listed, changed and deleted", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const created = yield* added(tenant, "/canned_replies", { shortcut: "hours", text: "From 7 to 18." })
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          shortcut: "hours",
          text: "From 7 to 18.",
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        assert.deepStrictEqual(rowsOf(yield* send("GET", "/canned_replies")), [created.body])
        yield* TestClock.adjust("1 second")
        const path = `/canned_replies/${idOf(created)}`
        const changed = yield* send("PATCH", path, { text: "From 7 to 19." }, { "if-match": "1" })
        assert.deepStrictEqual(changed.body, {
          ...created.body,
          text: "From 7 to 19.",
          updatedAt: textAt(changed, "updatedAt"),
          version: 2
        })
        assertProblem(yield* send("PATCH", path, { text: "x" }, { "if-match": "1" }), 412, "version_conflict")
        assertProblem(yield* send("DELETE", path, undefined, { "if-match": "1" }), 412, "version_conflict")
        assertStatus(yield* send("DELETE", path), 204)
        assertProblem(yield* send("DELETE", path), 404, "not_found")
        assert.isEmpty(idsOf(yield* send("GET", "/canned_replies")))
      })
    )

    it.effect("no two have one shortcut, and they are found by how it begins", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        for (const shortcut of ["hello", "hours", "bye"])
          yield* added(tenant, "/canned_replies", { shortcut, text: "x" })
        const taken = yield* send("POST", "/canned_replies", { shortcut: "hello", text: "y" })
        assertProblem(taken, 409, "name_taken")
        const other = yield* addedId(tenant, "/canned_replies", { shortcut: "other", text: "x" })
        assertProblem(yield* send("PATCH", `/canned_replies/${other}`, { shortcut: "bye" }), 409, "name_taken")
        const shortcuts = (query: string) =>
          Effect.map(send("GET", `/canned_replies${query}`), (answer) =>
            rowsOf(answer).map((row) => at(row, "shortcut"))
          )
        assert.deepStrictEqual(yield* shortcuts(""), ["bye", "hello", "hours", "other"])
        assert.deepStrictEqual(yield* shortcuts("?q=H"), ["hello", "hours"])
        assert.deepStrictEqual(yield* shortcuts("?q=%25"), [])
      })
    )

    it.effect.each([
      { body: { shortcut: "", text: "x" }, pointer: "/shortcut" },
      { body: { shortcut: "Has Space", text: "x" }, pointer: "/shortcut" },
      { body: { shortcut: "x".repeat(41), text: "x" }, pointer: "/shortcut" },
      { body: { shortcut: "x", text: "" }, pointer: "/text" },
      { body: { shortcut: "x", text: "x".repeat(4_097) }, pointer: "/text" }
    ])("a reply with an error at $pointer is refused", ({ body, pointer }) =>
      Effect.gen(function* () {
        const answer = yield* as(yield* givenTenant())("POST", "/canned_replies", body)
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), [pointer])
      })
    )
  })
