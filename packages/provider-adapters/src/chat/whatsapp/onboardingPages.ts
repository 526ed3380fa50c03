import type { NumberOnboarding, OnboardingStepName } from "@parley/domain/messaging"

const manager = (page: string, businessId: string) =>
  `https://business.facebook.com/latest/whatsapp_manager/${page}?asset_id=${encodeURIComponent(businessId)}`

const managerPages: Partial<Readonly<Record<OnboardingStepName, string>>> = {
  number_verified: "phone_numbers",
  display_name: "phone_numbers",
  registered: "phone_numbers",
  payment_method: "overview"
}

/** Page of the provider where a person completes a step. */
export const pageOf: NumberOnboarding["pageOf"] = (step, { appId, businessId }) => {
  const page = managerPages[step]
  if (page !== undefined) return manager(page, businessId)
  if (step === "token") return "https://business.facebook.com/latest/settings/system_users"
  return (step === "app_subscribed" || step === "webhook_address" || step === "webhook_received") && appId !== null
    ? `https://developers.facebook.com/apps/${encodeURIComponent(appId)}/webhooks/`
    : null
}
