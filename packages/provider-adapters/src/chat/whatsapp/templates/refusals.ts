import { ChannelRefused } from "@parley/domain/messaging"

/** Required change by the subcode of a refused template. Sources differ for some subcodes, so the provider's own message stays in front. */
export const adviceBySubcode: ReadonlyMap<number, string> = new Map([
  [
    2_388_019,
    "Delete templates that you do not need. A verified business with an approved display name can have 6,000."
  ],
  [2_388_023, "Choose another name, or wait 30 days after the deletion."],
  [2_388_024, "Choose another name or language, or synchronize the templates to edit the existing one."],
  [2_388_040, "Shorten the named text."],
  [2_388_047, "The header allows one line of 60 characters with one variable, without formatting."],
  [2_388_072, "Check the variables, line breaks and examples of the body."],
  [2_388_073, "The footer allows one line of 60 characters without variables."],
  [2_388_273, "Upload the sample file again and submit the template again."],
  [2_388_293, "Add words to the body, or remove variables."],
  [2_388_299, "Add a word before the first variable and after the last one."]
])

/** Adds the required change to the refusal of a template. */
export const withTemplateAdvice = (refusal: ChannelRefused): ChannelRefused => {
  const advice = adviceBySubcode.get(refusal.subcode ?? 0)
  return advice === undefined ? refusal : new ChannelRefused({ ...refusal, reason: `${refusal.reason} ${advice}` })
}
