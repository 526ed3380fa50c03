import {
  AutomationView,
  AutomationId,
  createAutomation,
  EmailAddressInput,
  enableAutomation,
  getEntitlements,
  listAutomations,
  login,
  NewAutomation,
  type Ports,
  PasswordInput
} from "@parley/domain"
import { getConnInfo } from "@hono/node-server/conninfo"
import { Effect, type ManagedRuntime, Predicate, Redacted, Schema } from "effect"
import { type Context, Hono } from "hono"
import { asCaller } from "./caller.ts"
import { refusalOf } from "./refusals.ts"

const SignIn = Schema.Struct({ email: EmailAddressInput, password: PasswordInput })

/** Failed logins are counted by where they come from. */
const addressOf = (c: Context) =>
  Predicate.hasProperty(c.env, "incoming") ? (getConnInfo(c).remote.address ?? "unknown") : "this process"

const writeAutomation = Schema.encodeEffect(AutomationView)

/** The shop's API: its own routes and its own manners, and Parley's use cases behind them. */
export const makeShop = <E>(runtime: ManagedRuntime.ManagedRuntime<Ports, E>) => {
  const answer = (
    c: Context,
    program: Effect.Effect<object, { readonly _tag: string; readonly message: string }, Ports>,
    status: 200 | 201 = 200
  ) =>
    runtime.runPromise(
      Effect.match(program, {
        onSuccess: (value) => c.json(value, status),
        onFailure: (error) => {
          const refusal = refusalOf(error)
          return c.json(refusal.body, refusal.status)
        }
      })
    )

  const inShop =
    (c: Context) =>
    <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
      asCaller({ authorization: c.req.header("authorization"), shop: c.req.param("shop") ?? "" })(useCase)

  const body = <A>(c: Context, schema: Schema.Codec<A, unknown>) =>
    Effect.flatMap(
      Effect.promise(() => c.req.json().catch(() => null)),
      Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })
    )

  return new Hono()
    .post("/sign-in", (c) =>
      answer(
        c,
        Effect.gen(function* () {
          const { email, password } = yield* body(c, SignIn)
          const session = yield* login({ email, password, organizationId: null, address: addressOf(c) })
          return {
            token: Redacted.value(session.accessToken),
            shops: session.affiliations.map(({ organization }) => organization.slug)
          }
        })
      )
    )
    .get("/shops/:shop/plan", (c) =>
      answer(
        c,
        Effect.gen(function* () {
          const { plan } = yield* getEntitlements()
          return { plan }
        }).pipe(inShop(c))
      )
    )
    .get("/shops/:shop/automations", (c) =>
      answer(
        c,
        Effect.gen(function* () {
          const { data, nextCursor } = yield* listAutomations({
            page: { limit: 50, cursor: c.req.query("after") ?? null }
          })
          return { automations: yield* Effect.forEach(data, (one) => writeAutomation(one)), more: nextCursor }
        }).pipe(inShop(c))
      )
    )
    .post("/shops/:shop/automations", (c) =>
      answer(
        c,
        Effect.gen(function* () {
          const automation = yield* createAutomation(yield* body(c, NewAutomation))
          return yield* writeAutomation(automation)
        }).pipe(inShop(c)),
        201
      )
    )
    .post("/shops/:shop/automations/:id/on", (c) =>
      answer(
        c,
        Effect.gen(function* () {
          const id = yield* Schema.decodeEffect(AutomationId)(c.req.param("id"))
          return yield* writeAutomation(yield* enableAutomation({ id, ifVersion: null }))
        }).pipe(inShop(c))
      )
    )
}
