import type { SharedContact } from "@parley/domain/messaging"

const phone = (value: SharedContact["phones"][number]) => {
  if (typeof value === "string") return { phone: value }
  const { number, type, waId } = value
  return { phone: number, ...(type !== undefined && { type }), ...(waId !== undefined && { wa_id: waId }) }
}

const name = ({ name: formatted, nameParts = {} }: SharedContact) => {
  const { first, last, middle, prefix, suffix } = nameParts
  return {
    formatted_name: formatted,
    ...(first !== undefined && { first_name: first }),
    ...(last !== undefined && { last_name: last }),
    ...(middle !== undefined && { middle_name: middle }),
    ...(suffix !== undefined && { suffix }),
    ...(prefix !== undefined && { prefix })
  }
}

/** A contact card as the provider takes it. */
export const contactOut = (contact: SharedContact) => {
  const { addresses, birthday, emails, organization, phones, urls } = contact
  return {
    name: name(contact),
    phones: phones.map(phone),
    ...(emails !== undefined && { emails }),
    ...(addresses !== undefined && {
      addresses: addresses.map(({ countryCode, ...rest }) => ({
        ...rest,
        ...(countryCode !== undefined && { country_code: countryCode })
      }))
    }),
    ...(organization !== undefined && { org: organization }),
    ...(urls !== undefined && { urls }),
    ...(birthday !== undefined && { birthday })
  }
}
