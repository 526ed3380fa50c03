import type { FieldDescriptions } from "./FieldDescriptions.ts"

type Fields = Readonly<Record<string, string>>

/** Returns the descriptions of fields inside of an object at this path. */
export const within = (path: string, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, description]) => [`${path}.${name}`, description]))

/** Describes an amount and its parts. */
const amount = (path: string, description: string): Fields => ({
  [path]: description,
  [`${path}.value`]: "Amount in hundredths of the currency.",
  [`${path}.offset`]: "Always 100, because amounts are in hundredths of the currency."
})

const charge = (path: string, description: string): Fields => ({
  ...amount(path, description),
  [`${path}.description`]: "Text about this amount. Default: none.",
  [`${path}.discountProgramName`]: "Name of the discount program. Default: none."
})

/** Fields of an address in India. */
const addressFields: Fields = {
  name: "Name of the person.",
  phone_number: "Phone number of the person.",
  in_pin_code: "Indian postal code of 6 digits.",
  house_number: "Number of the house.",
  floor_number: "Number of the floor.",
  tower_number: "Number of the tower.",
  building_name: "Name of the building.",
  address: "Address in the city.",
  landmark_area: "Landmark or area near the address.",
  city: "City of the address.",
  state: "State of the address."
}

const addressErrors: Fields = Object.fromEntries(
  Object.keys(addressFields).map((name) => [name, `Error of the value \`${name}\`, for the contact.`])
)

/** Descriptions of all kinds of interactive messages. */
export const interactiveFields: Fields = {
  type: "Kind of the interactive message, which decides which other fields it has.",
  body: "Text of the message, which is optional for `product` and `call_permission_request`.",
  header: "Text or uploaded file above the body. Default: none; required for `product_list`.",
  "header.type": "Kind of the header; this one is always a text.",
  "header.text": "Text of the header, at most 60 characters.",
  footer: "Small text below the body, at most 60 characters. Default: none.",
  buttons: "Reply buttons, 1 to 3, with unique ids and titles.",
  "buttons.id": "Your id of the button, returned when the contact taps it.",
  "buttons.title": "Label of the button, at most 20 characters.",
  button: "Label of the button that opens the list, at most 20 characters.",
  sections: "Sections with at most 10 rows in total, or for `product_list` with at most 30 products in total.",
  "sections.title": "Title of the section, at most 24 characters.",
  "sections.rows": "Rows of the section, which the contact can choose.",
  "sections.rows.id": "Your id of the row, unique in the message and returned when the contact chooses it.",
  "sections.rows.title": "Title of the row, at most 24 characters.",
  "sections.rows.description": "Second line of the row, at most 72 characters. Default: none.",
  "sections.productIds": "Retailer's ids of the products in the section, 1 to 30.",
  label: "Label of the button, at most 20 characters, for `flow` without emoji; optional for `voice_call`.",
  url: "Address that the button opens; it starts with `https://` or `http://`.",
  flow: "Flow of the provider, by its id or its name.",
  "flow.id": "Id of the flow at the provider.",
  "flow.name": "Name of the flow at the provider.",
  mode: "State of the flow: `draft` is for tests before its publication. Default: `published`.",
  action:
    "`navigate` opens the given `screen`; with `data_exchange` the endpoint of the flow chooses the first screen.",
  screen: "First screen of the flow; required for `navigate`, refused for `data_exchange`.",
  data: "Data of the first screen, at most 16 KiB of JSON; only for `navigate`. Default: none.",
  country: "Always `IN`, because the provider supports addresses in India only.",
  values: "Values that the form shows at first. Default: none.",
  ...within("values", addressFields),
  savedAddresses: "Addresses that the contact can choose, 1 to 10. Default: none.",
  "savedAddresses.id": "Your id of the address.",
  "savedAddresses.value": "Fields of the address.",
  ...within("savedAddresses.value", addressFields),
  validationErrors: "Errors of the values by field, which the form shows to the contact. Default: none.",
  ...within("validationErrors", addressErrors),
  ttlMinutes: "Lifetime of the call button in minutes, 1 to 43,200. Default: the provider decides.",
  payload: "Your text that the provider returns with the call. Default: none.",
  cards: "Cards, 2 to 10, all with a link button or all with the same number of replies.",
  catalogId: "Id of the catalogue at the provider.",
  productId: "Retailer's id of the product in the catalogue.",
  productIds: "Retailer's ids of the products in the catalogue, 2 to 10.",
  thumbnailProductId: "Retailer's id of the product whose picture is shown. Default: the provider decides.",
  referenceId: "Your id of the order; `order_status` refers to the order with the same id.",
  goods: "Whether the ordered goods are digital or physical.",
  paymentType: "Type of the payment in the provider's terms, for example `br`.",
  paymentSettings: "Ways to pay in the form of the provider, each at most 16 KiB of JSON.",
  ...amount("totalAmount", "Amount to pay: the sum of `subtotal`, `tax` and `shipping`, minus `discount`."),
  items: "Items of the order, 1 to 999.",
  "items.retailerId": "Retailer's id of the product.",
  "items.name": "Name of the item, at most 60 characters.",
  ...amount("items.amount", "Price of one unit."),
  ...amount("items.saleAmount", "Reduced price of one unit. Default: no reduction."),
  "items.quantity": "Number of units, at least 1.",
  ...amount("subtotal", "Sum of the items."),
  ...charge("tax", "Tax of the order."),
  ...charge("shipping", "Shipping costs of the order. Default: none."),
  ...charge("discount", "Discount on the order. Default: none."),
  status: "New status of the order.",
  description: "Text about the new status, at most 120 characters. Default: none.",
  payment: "Payment of the order. Default: none.",
  "payment.status": "Status of the payment, always `captured`.",
  "payment.timestamp": "Time of the payment as Unix time in seconds."
}

/** Descriptions of phone numbers of shared people. */
export const sharedPhoneFields = {
  number: "Phone number.",
  type: "Label of the number, for example `WORK`.",
  waId: "WhatsApp id of the number, which allows a chat with one tap."
} as const

/** Descriptions of shared people. */
export const sharedContactFields: Fields = {
  name: "Full name of the person.",
  phones: "Phone numbers of the person, each as a text or with further details.",
  nameParts: "Parts of the name.",
  "nameParts.first": "First name.",
  "nameParts.last": "Last name.",
  "nameParts.middle": "Middle name.",
  "nameParts.prefix": "Title before the name, for example `Dr.`.",
  "nameParts.suffix": "Addition after the name, for example `Jr.`.",
  emails: "Email addresses of the person, at most 10.",
  "emails.email": "Email address.",
  "emails.type": "Label of the email address, for example `WORK`.",
  addresses: "Postal addresses of the person, at most 10.",
  "addresses.street": "Street and house number.",
  "addresses.city": "City of the address.",
  "addresses.state": "State or region of the address.",
  "addresses.zip": "Postal code of the address.",
  "addresses.country": "Name of the country.",
  "addresses.countryCode": "Code of the country of two letters, for example `DE`.",
  "addresses.type": "Label of the address, for example `HOME`.",
  organization: "Organization of the person.",
  "organization.company": "Name of the company.",
  "organization.department": "Department of the person.",
  "organization.title": "Job title of the person.",
  urls: "Web addresses of the person, at most 10.",
  "urls.url": "Web address, which starts with `https://` or `http://`.",
  "urls.type": "Label of the web address, for example `WORK`.",
  birthday: "Date of birth, for example `1999-01-23`."
}

/** Descriptions of the contents of messages, by component and path. */
export const messageContentsFields: FieldDescriptions = {
  Interactive: interactiveFields,
  InteractiveHeader: {
    type: "Kind of the header: a text, or a file of this kind.",
    text: "Text of the header, at most 60 characters.",
    mediaId: "Id of an uploaded file of this kind."
  },
  Reply: {
    type: "Always `reply`, which marks the choice of the contact.",
    id: "Id of the tapped button or row, name of the form, or `call_permission`.",
    title: "Label of the tapped button or row, text of the completed form, or answer to the request for calls.",
    "form.name": "Name of the form in the provider's terms, for example `flow`.",
    "form.values": "Entered values by name; null if the provider sent none, or too much data.",
    "callPermission.response": "Answer in the provider's terms, for example `accept`.",
    "callPermission.isPermanent": "Whether the permission has no end.",
    "callPermission.expiresAt": "End of the permission in UTC; null if the provider reports none."
  },
  SharedContact: sharedContactFields,
  SharedPhone: sharedPhoneFields
}
