import { OnboardingChecklist, type OnboardingStep } from "@parley/domain/messaging"
import { Console, Effect, Schema } from "effect"
import { table } from "../../console/print.ts"

const names: Readonly<Record<OnboardingStep["step"], string>> = {
  code_exchanged: "access token stored",
  token: "permissions of the token",
  number_verified: "number verified",
  display_name: "display name",
  registered: "registered",
  app_subscribed: "app subscribed",
  webhook_address: "address of deliveries",
  webhook_received: "delivery received",
  payment_method: "payment method",
  contacts_synced: "contacts of the app",
  history_synced: "history of the app"
}

/** Returns a step in words, with its error code if the provider reported one. */
export const describeStep = ({ providerCode, providerReason, step }: OnboardingStep): string => {
  const code = providerCode === null ? "" : ` (${providerCode})`
  return providerReason === null ? `${names[step]}${code}` : `${names[step]}: ${providerReason}${code}`
}

/** Returns an action with the commands of this program instead of the calls of the API. */
export const withCommands = (action: string): string =>
  action.replaceAll(
    /POST \/chat_accounts\/:id\/(check|register|request_code|subscribe|verify_code)/gu,
    (_, path: string) => `parley chat-accounts ${path.replace("_", "-")}`
  )

/** Encodes a checklist as the API does. */
export const encodeChecklist = Schema.encodeSync(OnboardingChecklist)

/** Prints the steps of an onboarding with the action and the page for each open one. */
export const printChecklist = Effect.fnUntraced(function* ({ isComplete, steps }: OnboardingChecklist) {
  yield* Console.log(
    table(
      steps.flatMap((step) => [
        { state: step.state, text: describeStep(step) },
        ...[step.action === null ? null : withCommands(step.action), step.link].flatMap((text) =>
          text === null ? [] : [{ state: "", text: `-> ${text}` }]
        )
      ]),
      [
        { heading: "STATE", of: ({ state }) => state },
        { heading: "STEP", of: ({ text }) => text }
      ]
    )
  )
  if (isComplete) yield* Console.error("The number is ready to send.")
})
