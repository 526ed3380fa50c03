import { Effect } from "effect"
import { refusePlainly } from "../checks.ts"
import type { World } from "../World.ts"
import { type Access, unknownObject } from "./access.ts"
import type { Accounts } from "./accounts.ts"
import { type Call, type Handler, parametersOf, type Scripted, success } from "./Call.ts"
import type { Verification } from "./callbacks.ts"
import type { Flows } from "./flows.ts"
import type { GroupCalls } from "./groups.ts"
import type { Media } from "./media.ts"
import type { Numbers } from "./numbers.ts"
import type { Registration } from "./registration.ts"
import type { Templates } from "./templates.ts"
import type { Uploads } from "./uploads.ts"

interface NodeParts {
  readonly world: World
  readonly access: Access
  readonly scripted: Scripted
  readonly numbers: Numbers
  readonly registration: Registration
  readonly accounts: Accounts
  readonly templates: Templates
  readonly media: Media
  readonly uploads: Uploads
  readonly verification: Verification
  readonly flows: Flows
  readonly groups: GroupCalls
}

/** Objects by their id: numbers, accounts, templates, files and uploads. */
export const makeNodes = (parts: NodeParts) => {
  const {
    access,
    accounts,
    flows,
    groups,
    media,
    numbers,
    registration,
    scripted,
    templates,
    uploads,
    verification,
    world
  } = parts

  const updateNumber: Handler = Effect.fnUntraced(function* (call: Call) {
    const { number, state } = access.requireManagedNumber(call)
    const fields = yield* parametersOf(call)
    const configuration = fields["webhook_configuration"]
    const override =
      typeof configuration === "object" && configuration !== null
        ? yield* verification.overrideIn(Object.fromEntries(Object.entries(configuration)))
        : null
    return yield* scripted("numbers", call, () => {
      if (configuration !== undefined) {
        state.override = override
        return success
      }
      if (fields["pin"] !== undefined) return registration.changePin(number, fields["pin"])
      if (typeof fields["new_display_name"] === "string") {
        state.newName = fields["new_display_name"]
        state.newNameStatus = "PENDING_REVIEW"
        return success
      }
      return refusePlainly(100, "(#100) One of pin, webhook_configuration and new_display_name is required.")
    })
  })

  return {
    read: (call: Call) => {
      if (world.numbers.has(call.id)) {
        return scripted("health", call, () => numbers.read(access.requireReadNumber(call), call.query.get("fields")))
      }
      if (call.id.startsWith("upload:")) return uploads.progress(call)
      if (templates.isTemplate(call.id)) return templates.read(call)
      if (world.accounts.has(call.id)) return accounts.read(call)
      if (flows.isFlow(call.id)) return flows.read(call)
      if (groups.isGroup(call.id)) return groups.read(call)
      return media.describe(call)
    },
    update: (call: Call) => {
      if (world.numbers.has(call.id)) return updateNumber(call)
      if (call.id.startsWith("upload:")) return uploads.append(call)
      if (templates.isTemplate(call.id)) return templates.edit(call)
      if (flows.isFlow(call.id)) return flows.update(call)
      if (groups.isGroup(call.id)) return groups.update(call)
      return world.accounts.has(call.id) ? accounts.update(call) : unknownObject(call.id, "post")
    },
    remove: (call: Call) => {
      if (flows.isFlow(call.id)) return flows.remove(call)
      return groups.isGroup(call.id) ? groups.remove(call) : media.remove(call)
    }
  }
}
