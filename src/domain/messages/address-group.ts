import ipaddr from 'ipaddr.js'

/**
 * What counts as one sender: an IPv4 address, or the /64 that one customer is given in IPv6. Text that is no address
 * stands for itself.
 */
export function addressGroup(address: string): string {
  // A zone (`%eth0`) says which of the machine's own networks it was, not who sent it.
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return address
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
