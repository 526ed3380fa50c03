import { type Fields, refusePlainly } from "../checks.ts"

const texts: Readonly<
  Record<
    string,
    {
      readonly code: string
      readonly safety: string
      readonly expiry: string
      readonly copy: string
      readonly fill: string
    }
  >
> = {
  en_US: {
    code: "*{{1}}* is your verification code.",
    safety: " For your security, do not share this code.",
    expiry: "This code expires in {{n}} minutes.",
    copy: "Copy code",
    fill: "Autofill"
  },
  es_ES: {
    code: "Tu código de verificación es *{{1}}*.",
    safety: " Por tu seguridad, no lo compartas.",
    expiry: "Este código caduca en {{n}} minutos.",
    copy: "Copiar código",
    fill: "Autocompletar"
  }
}

const isTrue = (value: unknown) => value === true || value === "true"

/** The fixed texts of authentication templates by language. */
export const previewsOf = (fields: Fields): object => {
  if (fields["category"] !== "AUTHENTICATION") {
    return refusePlainly(100, "(#100) Previews exist for the category AUTHENTICATION only.")
  }
  const wanted = fields["languages"] ?? fields["language"]
  const languages = typeof wanted === "string" && wanted !== "" ? wanted.split(",") : Object.keys(texts)
  const minutes = fields["code_expiration_minutes"]
  return {
    data: languages.map((language) => {
      const text = texts[language.trim()] ?? texts["en_US"]
      return {
        body: `${text?.code ?? ""}${isTrue(fields["add_security_recommendation"]) ? (text?.safety ?? "") : ""}`.replace(
          "{{1}}",
          "123456"
        ),
        buttons: [{ autofill_text: text?.fill, text: text?.copy }],
        ...(minutes === undefined ? {} : { footer: text?.expiry.replace("{{n}}", String(minutes)) }),
        language: language.trim()
      }
    })
  }
}
