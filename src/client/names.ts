/** Whether a text is a DNS label: the name of a namespace. As apimachinery IsDNS1123Label. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

/** Whether a text is a DNS subdomain: the name of most objects, or an API group. As apimachinery IsDNS1123Subdomain. */
export function isDnsSubdomain(text: string): boolean {
  return (
    text.length <= 253 && text.split('.').every((part) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(part))
  );
}
