import type { Shop } from "../World.ts"

/** Published fields that the simulator does not fill. */
const unusedFields = {
  address1: null,
  address2: null,
  auto_configure_tax_inclusivity: null,
  checkout_api_supported: true,
  city: null,
  county_taxes: null,
  created_at: null,
  customer_email: null,
  eligible_for_payments: true,
  email: null,
  finances: true,
  google_apps_domain: null,
  google_apps_login_enabled: null,
  has_discounts: false,
  has_gift_cards: false,
  has_storefront: true,
  iana_timezone: null,
  latitude: null,
  longitude: null,
  marketing_sms_consent_enabled_at_checkout: false,
  multi_location_enabled: true,
  password_enabled: null,
  phone: null,
  plan_display_name: "Basic",
  plan_name: "basic",
  pre_launch_enabled: false,
  primary_locale: "en",
  primary_location_id: null,
  province: null,
  province_code: null,
  requires_extra_payments_agreement: false,
  setup_required: false,
  shop_owner: "",
  source: null,
  tax_shipping: null,
  taxes_included: null,
  timezone: "(GMT+00:00) UTC",
  transactional_sms_disabled: false,
  updated_at: null,
  weight_unit: "kg",
  zip: null
}

/** Payload of a shop. */
export const shopPayload = (shop: Shop) => {
  const format = `\${{amount}} ${shop.currency}`
  return {
    ...unusedFields,
    id: shop.id,
    name: shop.name,
    myshopify_domain: shop.domain,
    domain: shop.domain,
    currency: shop.currency,
    enabled_presentment_currencies: [shop.currency],
    country: shop.country,
    country_code: shop.country,
    country_name: shop.country,
    money_format: format,
    money_in_emails_format: format,
    money_with_currency_format: format,
    money_with_currency_in_emails_format: format
  }
}
