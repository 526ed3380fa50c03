import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import type { Operations } from "@parley/client"
import type { ParleyClient } from "../../src/client/index.ts"

type Promised = ParleyClient.PromiseClient

type Without<Answer> = [Answer] extends [void] ? undefined : Answer

type AnswerOf<Method> = Method extends (...args: never) => Promise<infer Answer> ? Without<Answer> : never

/** Whether all answers of the contract have the generated type. A file is a stream there and a Response here. */
type Fits<Answer, Data> = [Data] extends [Response] ? true : [Answer] extends [Data] ? true : false

type Areas = keyof Operations & keyof Promised

type Names<Area extends Areas> = keyof Operations[Area] & keyof Promised[Area] & string

type Misfits = {
  [Area in Areas]: {
    [Name in Names<Area>]: Operations[Area][Name] extends { readonly data: infer Data }
      ? Fits<AnswerOf<Promised[Area][Name]>, Data> extends true
        ? never
        : `${Area}.${Name}`
      : never
  }[Names<Area>]
}[Areas]

describe("the generated types of the light client", () => {
  it("have every area, and fit every answer of the contract", () => {
    expectTypeOf<keyof Operations>().toEqualTypeOf<keyof Promised>()
    expectTypeOf<Misfits>().toBeNever()
    expectTypeOf<Fits<{ readonly id: number }, { readonly id: string }>>().toEqualTypeOf<false>()
    assert.isTrue(true)
  })
})
