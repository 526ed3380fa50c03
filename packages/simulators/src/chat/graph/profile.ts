import { type Fields, listAt, refuse, textIfAny } from "../checks.ts"
import type { NumberState } from "../world/NumberState.ts"
import { requireProduct } from "./registration.ts"
import { success } from "./Call.ts"
import { fieldNames } from "./fields.ts"

const limits: Readonly<Record<string, number>> = { about: 139, address: 256, description: 512, email: 128 }

const verticals = [
  "OTHER",
  "AUTO",
  "BEAUTY",
  "APPAREL",
  "EDU",
  "ENTERTAIN",
  "EVENT_PLAN",
  "FINANCE",
  "GROCERY",
  "GOVT",
  "HOTEL",
  "HEALTH",
  "NONPROFIT",
  "PROF_SERVICES",
  "RETAIL",
  "TRAVEL",
  "RESTAURANT",
  "ALCOHOL",
  "ONLINE_GAMBLING",
  "PHYSICAL_GAMBLING",
  "OTC_DRUGS"
]

/** Changes the business profile of a number. `isHandle` knows the handles of uploaded images. */
export const updateProfile = (state: NumberState, fields: Fields, isHandle: (handle: string) => boolean): object => {
  requireProduct(fields)
  const { about, messaging_product: _, profile_picture_handle: handle, vertical, websites, ...texts } = fields
  if (about !== undefined && textIfAny(about, "about", 139) === "") refuse(131_009, "Param about cannot be empty.")
  for (const [name, value] of Object.entries(texts)) {
    const limit = limits[name]
    if (limit === undefined) refuse(100, `Unexpected key "${name}" on param "whatsapp_business_profile".`)
    else textIfAny(value, name, limit)
  }
  if (websites !== undefined) {
    for (const website of listAt(websites, "websites", 2, 0)) textIfAny(website, "websites", 256)
  }
  if (vertical !== undefined && vertical !== "" && !verticals.includes(String(vertical))) {
    refuse(100, `Param vertical must be one of {${verticals.join(", ")}}.`)
  }
  if (handle !== undefined && !isHandle(String(handle)))
    refuse(100, "Param profile_picture_handle is not a handle of an image.")
  const picture =
    handle === undefined ? {} : { profile_picture_url: `https://pps.whatsapp.net/v/${state.phoneId}_n.jpg` }
  state.profile = {
    ...state.profile,
    ...texts,
    ...(about === undefined ? {} : { about }),
    ...(websites === undefined ? {} : { websites }),
    ...(vertical === undefined ? {} : { vertical }),
    ...picture
  }
  return success
}

export const readProfile = (state: NumberState, fields: string | null): object => {
  const profile: Fields = { ...state.profile, messaging_product: "whatsapp" }
  const names = fields === null ? Object.keys(profile) : [...fieldNames(fields), "messaging_product"]
  return {
    data: [Object.fromEntries(names.flatMap((name) => (profile[name] === undefined ? [] : [[name, profile[name]]])))]
  }
}
