import {
  type Automation,
  createAutomation,
  type CurrentActor,
  type CurrentOrganization,
  deleteAutomation,
  disableAutomation,
  enableAutomation,
  getAutomation,
  listAutomations,
  type Ports,
  updateAutomation
} from "@parley/domain"
import { Effect } from "effect"
import { asOwner, attempt, firstPage, reads, type Values, type World, type Prepare } from "../attempting.ts"

const givenAutomation = (world: World) => asOwner(world, createAutomation({ name: "Before" }))

const onAutomation =
  (
    call: (
      id: Automation["id"]
    ) => Effect.Effect<unknown, { readonly _tag: string }, Ports | CurrentActor | CurrentOrganization>,
    type: "automation.updated" | "automation.enabled" | "automation.disabled" | "automation.deleted",
    before: Values | null,
    after: Values | null,
    first?: (
      id: Automation["id"]
    ) => Effect.Effect<unknown, { readonly _tag: string }, Ports | CurrentActor | CurrentOrganization>
  ): Prepare =>
  (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(world)
      if (first !== undefined) yield* asOwner(world, first(id))
      return attempt(call(id), () => ({
        action: type,
        target: { kind: "automation", id },
        before,
        after,
        event: { type, automationId: id }
      }))
    })

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "automation.create": () =>
    Effect.succeed(
      attempt(createAutomation({ name: "Welcome" }), ({ id }) => ({
        action: "automation.created",
        target: { kind: "automation", id },
        before: null,
        after: { name: "Welcome" },
        event: { type: "automation.created", automationId: id }
      }))
    ),
  "automation.delete": onAutomation((id) => deleteAutomation(id, 1), "automation.deleted", { name: "Before" }, null),
  "automation.disable": onAutomation(
    (id) => disableAutomation(id, null),
    "automation.disabled",
    { enabled: true },
    { enabled: false },
    (id) => enableAutomation(id, null)
  ),
  "automation.enable": onAutomation(
    (id) => enableAutomation(id, 1),
    "automation.enabled",
    { enabled: false },
    { enabled: true }
  ),
  "automation.get": (world) => Effect.map(givenAutomation(world), ({ id }) => attempt(getAutomation(id))),
  "automation.list": reads(() => listAutomations(firstPage)),
  "automation.update": onAutomation(
    (id) => updateAutomation(id, { name: "After" }, 1),
    "automation.updated",
    { name: "Before" },
    { name: "After" }
  )
}
