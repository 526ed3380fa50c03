import type { Timeline } from "../../Timeline.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { KeptTemplate, World } from "../World.ts"
import { type AccountState, isInForce } from "../world/AccountState.ts"
import { isRegistered } from "../world/NumberState.ts"

type Ability = "AVAILABLE" | "LIMITED" | "BLOCKED"

interface HealthError {
  readonly error_code: number
  readonly error_description: string
  readonly possible_solution: string
}

interface Entity {
  readonly entity_type: "PHONE_NUMBER" | "MESSAGE_TEMPLATE" | "WABA" | "BUSINESS" | "APP"
  readonly id: string
  readonly can_send_message: Ability
  readonly can_receive_call_sip?: Ability
  readonly additional_info?: ReadonlyArray<string>
  readonly errors?: ReadonlyArray<HealthError>
}

const messagingRestrictions: ReadonlySet<string> = new Set([
  "RESTRICTED_BIZ_INITIATED_MESSAGING",
  "RESTRICTED_CUSTOMER_INITIATED_MESSAGING"
])

const entity = (
  type: Entity["entity_type"],
  id: string,
  errors: ReadonlyArray<HealthError>,
  info: ReadonlyArray<string> = []
): Entity => {
  if (errors.length > 0) return { entity_type: type, id, can_send_message: "BLOCKED", errors }
  if (info.length > 0) return { entity_type: type, id, can_send_message: "LIMITED", additional_info: info }
  return { entity_type: type, id, can_send_message: "AVAILABLE" }
}

const error = (code: number, description: string, solution: string): HealthError => ({
  error_code: code,
  error_description: description,
  possible_solution: solution
})

const worst = (entities: ReadonlyArray<Entity>): Ability => {
  const abilities = new Set(entities.map(({ can_send_message }) => can_send_message))
  if (abilities.has("BLOCKED")) return "BLOCKED"
  return abilities.has("LIMITED") ? "LIMITED" : "AVAILABLE"
}

/** Health of numbers, accounts and templates: the worst state of the parts counts. */
export const makeHealth = (world: World, timeline: Timeline) => {
  const accountErrors = (account: AccountState): ReadonlyArray<HealthError> => [
    ...(account.hasPaymentMethod
      ? []
      : [error(141_006, "There is an error with the payment method.", "Add a payment method in WhatsApp Manager.")]),
    ...(account.banState === "DISABLE"
      ? [error(131_031, "The WhatsApp Business account is disabled.", "Request a review in Business Support.")]
      : [])
  ]

  const accountInfo = ({ restrictions, reviewStatus }: AccountState): ReadonlyArray<string> => [
    ...(reviewStatus === "APPROVED" ? [] : [`The review of the account is ${reviewStatus}.`]),
    ...restrictions
      .filter((restriction) => messagingRestrictions.has(restriction.type) && isInForce(restriction, timeline.now()))
      .map(({ type }) => `The account has the restriction ${type}.`)
  ]

  const common = (account: AccountState): ReadonlyArray<Entity> => [
    entity("WABA", account.id, accountErrors(account), accountInfo(account)),
    entity("BUSINESS", account.ownerId, []),
    entity("APP", world.app.appId, [])
  ]

  const whole = (entities: ReadonlyArray<Entity>) => ({ can_send_message: worst(entities), entities })

  const numberEntity = (number: SimulatedNumber): Entity => {
    const state = world.stateOf(number)
    const errors = isRegistered(state)
      ? []
      : [error(141_000, "The phone number is not registered.", "Register the phone number.")]
    const info =
      state.nameStatus === "APPROVED" || state.nameStatus === "AVAILABLE_WITHOUT_REVIEW"
        ? []
        : [
            "Your display name has not been approved yet. Your message limit will increase after the display name is approved."
          ]
    return { ...entity("PHONE_NUMBER", number.phoneId, errors, info), can_receive_call_sip: "AVAILABLE" }
  }

  return {
    ofNumber: (number: SimulatedNumber) =>
      whole([numberEntity(number), ...common(world.accountOf(number.businessId, false))]),
    ofAccount: (account: AccountState) => whole(common(account)),
    ofTemplate: (template: KeptTemplate) =>
      whole([
        entity(
          "MESSAGE_TEMPLATE",
          template.id,
          template.status === "APPROVED"
            ? []
            : [error(141_002, "The message template is not approved.", "Use an approved template.")]
        ),
        ...common(world.accountOf(template.businessId, false))
      ])
  }
}
export type Health = ReturnType<typeof makeHealth>
