import { type Fields, listAt, objectAt } from "../checks.ts"
import { errorCodes } from "../errorCodes.ts"
import { refusal, refusalBody } from "../failures.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { World } from "../World.ts"
import { requireProduct } from "./registration.ts"

const maxBlocked = 64_000

const notWritten = "The user has not written to this number within 24 hours."

interface Outcome {
  readonly input: string
  readonly wa_id?: string
  readonly user_id?: string
  readonly errors?: ReadonlyArray<object>
}

/** Id of a user who is not a customer. */
const idOf = (user: Fields, input: string) =>
  user["user"] === undefined ? { user_id: input } : { wa_id: input.replaceAll(/\D/gu, "") }

const failed = (outcome: Outcome, code: number, details: string): Outcome => ({
  ...outcome,
  errors: [{ message: errorCodes[code]?.[1], code, error_data: { details } }]
})

/** Body of a block call, and whether each user was processed. */
export interface BlockAnswer {
  readonly isComplete: boolean
  readonly body: object
}

/** Blocks users who wrote within 24 hours, or removes blocks. */
export const changeBlocks = (
  world: World,
  now: number,
  number: SimulatedNumber,
  fields: Fields,
  action: "block" | "unblock"
): BlockAnswer => {
  requireProduct(fields)
  const { blocked } = world.stateOf(number)
  const outcomes = listAt(fields["block_users"], "block_users", 1_000).map((entry): Outcome => {
    const user = objectAt(entry, "block_users", ["user", "user_id"])
    const input = String(user["user"] ?? user["user_id"] ?? "")
    const customer = world.findCustomer(input.replaceAll(/[\s()-]/gu, ""))
    if (input.replaceAll(/\D/gu, "") === number.displayPhone) {
      return failed({ input }, 131_021, "A number cannot block itself.")
    }
    // The provider reports an unknown user like one who has not written.
    if (customer === undefined) return failed({ input, ...idOf(user, input) }, 131_047, notWritten)
    const key = customer.userId
    const id = customer.phone === null ? { user_id: customer.userId } : { wa_id: customer.phone }
    if (action === "unblock") {
      blocked.delete(key)
      return { input, ...id }
    }
    if ((customer.windows.get(number.phoneId) ?? 0) <= now) {
      return failed({ input, ...id }, 131_047, notWritten)
    }
    if (blocked.size >= maxBlocked) return failed({ input, ...id }, 139_101, "The block list is full.")
    blocked.add(key)
    return { input, ...id }
  })
  const done = outcomes.filter(({ errors }) => errors === undefined)
  const wrong = outcomes.filter(({ errors }) => errors !== undefined)
  const body = {
    messaging_product: "whatsapp",
    block_users: {
      [action === "block" ? "added_users" : "removed_users"]: done,
      ...(wrong.length === 0 ? {} : { failed_users: wrong })
    }
  }
  return wrong.length === 0
    ? { isComplete: true, body }
    : {
        isComplete: false,
        body: {
          ...body,
          ...refusalBody(refusal(139_100, "Failed to block some users, see the block_users response list for details"))
        }
      }
}
