import type { ShopCustomer } from "../Records.ts"
import type { Shop } from "../World.ts"
import { gid, lower, timeOrNull, timeText } from "./values.ts"

const nameOf = ({ firstName, lastName }: ShopCustomer) =>
  [firstName, lastName].filter((part) => part !== null).join(" ")

const addressPayload = (shop: Shop, customer: ShopCustomer) => ({
  id: customer.id * 10,
  customer_id: customer.id,
  first_name: customer.firstName,
  last_name: customer.lastName,
  name: nameOf(customer),
  company: null,
  address1: null,
  address2: null,
  city: null,
  zip: null,
  province: null,
  province_code: null,
  country: shop.country,
  country_code: shop.country,
  country_name: shop.country,
  phone: customer.addressPhone,
  default: true
})

const buyerPayload = (shop: Shop, customer: ShopCustomer) => ({
  id: customer.id,
  admin_graphql_api_id: gid("Customer", customer.id),
  created_at: timeText(customer.createdAt),
  updated_at: timeText(customer.updatedAt),
  first_name: customer.firstName,
  last_name: customer.lastName,
  email: customer.email,
  phone: customer.phone,
  state: "disabled",
  note: null,
  verified_email: true,
  multipass_identifier: null,
  tax_exempt: false,
  tax_exemptions: [],
  currency: shop.currency,
  default_address: addressPayload(shop, customer)
})

/** Payload of a changed customer. */
export const customerPayload = (shop: Shop, customer: ShopCustomer) => ({
  ...buyerPayload(shop, customer),
  addresses: []
})

/** The customer inside the payload of an order or a checkout; `null` for guests. */
export const buyerIn = (shop: Shop, { customerId }: { readonly customerId: number | null }) => {
  const customer = customerId === null ? null : shop.shelves.customers.get(customerId)
  return customer === null ? null : buyerPayload(shop, customer)
}

/** Payload of a deleted customer. */
export const deletedCustomerPayload = ({ id }: ShopCustomer) => ({
  id,
  admin_graphql_api_id: gid("Customer", id),
  tax_exemptions: []
})

/** The SMS consent of a customer. The id is that of the customer. */
export const smsConsentPayload = ({ id, phone, sms }: ShopCustomer) => ({
  id,
  phone,
  sms_marketing_consent: {
    state: lower(sms.state),
    opt_in_level: "single_opt_in",
    consent_updated_at: timeOrNull(sms.at),
    consent_collected_from: "other"
  }
})

/** The email consent of a customer. */
export const emailConsentPayload = ({ email, emails, id }: ShopCustomer) => ({
  customer_id: id,
  email_address: email,
  email_marketing_consent: {
    state: lower(emails.state),
    opt_in_level: "single_opt_in",
    consent_updated_at: timeOrNull(emails.at)
  }
})
