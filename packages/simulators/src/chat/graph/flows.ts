import { Effect } from "effect"
import { type Fields, listAt, refusePlainly, textAt } from "../checks.ts"
import type { Flow, World } from "../World.ts"
import { type Access, unknownObject } from "./access.ts"
import { type Call, type Handler, parametersOf, type Scripted, success } from "./Call.ts"
import { pageOf } from "./fields.ts"

const shown = ({ categories, id, name, status }: Flow) => ({ id, name, status, categories, validation_errors: [] })

/** Flows: drafts that are published and deprecated. */
export const makeFlows = (world: World, access: Access, scripted: Scripted) => {
  const requireFlow = (call: Call): Flow => {
    const flow = world.flows.get(call.id)
    if (flow === undefined) return unknownObject(call.id, call.request.method)
    access.requireAccount(call, flow.businessId)
    return flow
  }

  const onFlow =
    (perform: (flow: Flow, fields: Fields) => object): Handler =>
    (call) =>
      Effect.gen(function* () {
        const flow = requireFlow(call)
        const isForm = call.request.headers["content-type"]?.startsWith("multipart/") === true
        const fields = isForm ? {} : yield* parametersOf(call)
        return yield* scripted("settings", call, () => perform(flow, fields))
      })

  const change =
    (from: Flow["status"], to: Flow["status"]) =>
    (flow: Flow): object => {
      if (flow.status !== from) return refusePlainly(100, `(#100) The flow has the status ${flow.status}.`)
      flow.status = to
      return success
    }

  return {
    create: (call: Call) =>
      Effect.gen(function* () {
        const account = access.requireAccount(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("settings", call, () => {
          const id = String(700_000_000_000_000 + world.next())
          world.flows.set(id, {
            id,
            businessId: account.id,
            name: textAt(fields["name"], "name", 200),
            categories: listAt(fields["categories"], "categories", 10).map(String),
            status: "DRAFT"
          })
          return { id }
        })
      }),
    list: (call: Call) =>
      Effect.suspend(() => {
        const account = access.requireAccount(call)
        const flows = [...world.flows.values()].filter(({ businessId }) => businessId === account.id)
        return scripted("settings", call, () => pageOf(flows, call.query, `${call.origin}/${call.id}/flows`, shown))
      }),
    isFlow: (id: string) => world.flows.has(id),
    read: onFlow(shown),
    update: onFlow((flow, fields) => {
      if (fields["name"] !== undefined) flow.name = textAt(fields["name"], "name", 200)
      return success
    }),
    remove: onFlow((flow) => {
      if (flow.status !== "DRAFT") return refusePlainly(100, "(#100) Only a draft can be deleted.")
      world.flows.delete(flow.id)
      return success
    }),
    saveAsset: onFlow(() => ({ success: true, validation_errors: [] })),
    publish: onFlow(change("DRAFT", "PUBLISHED")),
    deprecate: onFlow(change("PUBLISHED", "DEPRECATED"))
  }
}
export type Flows = ReturnType<typeof makeFlows>
