import { assert, describe, expectTypeOf, it } from "vitest"
import { contacts, events } from "../src/areas.ts"
import {
  type Contact,
  createParley,
  createParleyOf,
  type ExpandedContact,
  type FeedEvent,
  type InputOf,
  isProblem,
  type Page,
  type Parley,
  type ParleyProblem,
  type ThrowingParley
} from "../src/index.ts"

type Data<Method extends (...args: never) => Promise<unknown>> = Exclude<
  Awaited<ReturnType<Method>> extends { readonly data?: infer Found } ? Found : never,
  undefined
>

const parley = createParley({ baseUrl: "https://parley.test" })

/** Never called: the compiler checks it. */
const unchecked = {
  results: async () => {
    const { data, problem } = await parley.contacts.get({ id: "c1" })
    // @ts-expect-error The data is absent when there is a problem.
    expectTypeOf(data.name)
    if (problem !== undefined) {
      expectTypeOf(data).toEqualTypeOf<undefined>()
      if (problem.code === "feature_not_in_plan") {
        expectTypeOf(problem.availableIn).toEqualTypeOf<ReadonlyArray<"free" | "growth" | "scale">>()
      }
      // @ts-expect-error Only some problems have this field.
      expectTypeOf(problem.availableIn)
      // @ts-expect-error This call has no such code.
      return problem.code === "contact_exists"
    }
    return expectTypeOf(data).toEqualTypeOf<ExpandedContact>()
  },
  throwing: async () => {
    const contact = await parley.throwing().contacts.create({ name: "Ada" })
    expectTypeOf(contact).toEqualTypeOf<Contact>()
    const file = await parley.throwing().media.download({ id: "m1" })
    expectTypeOf(file).toEqualTypeOf<Response>()
    expectTypeOf(await parley.throwing().contacts.delete({ id: "c1" })).toEqualTypeOf<undefined>()
    expectTypeOf(await parley.throwing().workflows.draw({ id: "w1" })).toEqualTypeOf<string>()
  },
  formats: async () => {
    const csv = await parley.throwing().analytics.live({ format: "csv" })
    expectTypeOf(csv).toEqualTypeOf<string>()
    const live = await parley.throwing().analytics.live()
    expectTypeOf(live).not.toEqualTypeOf<string>()
  },
  inputs: () => [
    parley.contacts.list({ tag: ["vip"], "attribute.city": "Paris" }),
    // @ts-expect-error The id is required.
    parley.contacts.get({}),
    // @ts-expect-error So is the whole input.
    parley.contacts.get(),
    // @ts-expect-error The API has no such field.
    parley.contacts.create({ nickname: "Ada" }),
    // @ts-expect-error A version is a number.
    parley.contacts.update({ id: "c1", ifMatch: '"3"' }),
    // @ts-expect-error An order is one of some.
    parley.contacts.list({ sort: "age" }),
    // @ts-expect-error A file needs its type.
    parley.media.upload({ body: "a text" }),
    // @ts-expect-error A file is no object.
    parley.media.upload({ contentType: "text/plain", body: {} }),
    // @ts-expect-error Only lists have pages.
    parley.contacts.get.all({ id: "c1" })
  ],
  settings: () => [
    createParley({ baseUrl: new URL("https://parley.test"), token: async (expired) => expired ?? "a token" }),
    createParley({ baseUrl: "", session: { accessToken: "a", refreshToken: "r" } }),
    // @ts-expect-error Either a token or a session.
    createParley({ baseUrl: "", token: "a", session: { accessToken: "a", refreshToken: "r" } })
  ]
}

describe("the types of the client", () => {
  it("hold", () => {
    assert.isObject(unchecked)
    expectTypeOf<Data<Parley["contacts"]["list"]>>().toEqualTypeOf<Page<ExpandedContact>>()
    expectTypeOf<InputOf<Parley["tags"]["create"]>["name"]>().toEqualTypeOf<string>()
    expectTypeOf(parley.contacts.list.all).returns.toEqualTypeOf<AsyncIterable<ExpandedContact>>()
    expectTypeOf(parley.throwing().contacts.list.pages).returns.toEqualTypeOf<AsyncIterable<Page<ExpandedContact>>>()
    expectTypeOf(parley.events.follow).returns.toEqualTypeOf<AsyncIterable<FeedEvent>>()
    expectTypeOf(parley.inOrganization).returns.toEqualTypeOf<Parley>()
    expectTypeOf(parley.throwing).returns.toEqualTypeOf<ThrowingParley>()
  })

  it("of a client of some areas have these areas only", () => {
    const some = createParleyOf({ contacts, events }, { baseUrl: "https://parley.test" })
    expectTypeOf<keyof typeof some>().toEqualTypeOf<"contacts" | "events" | "inOrganization" | "throwing">()
    expectTypeOf(some.throwing().events.follow).returns.toEqualTypeOf<AsyncIterable<FeedEvent>>()
    assert.sameMembers(Object.keys(some), ["contacts", "events", "inOrganization", "throwing"])
  })

  it("of a problem follow from its code", () => {
    const error: unknown = new Error("another")
    if (isProblem(error, "version_conflict")) expectTypeOf(error.current).toEqualTypeOf<number>()
    if (isProblem(error, "timed_out")) expectTypeOf(error.code).toEqualTypeOf<"timed_out">()
    if (isProblem(error)) expectTypeOf(error).toEqualTypeOf<ParleyProblem>()
    assert.isFalse(isProblem(error))
  })
})
