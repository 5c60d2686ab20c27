/** The sample: units of the service itself around a gate, so that it runs wherever the service does. */
export const SAMPLE_ID = 'sample-refund';

export const SAMPLE_INPUT = {
  customer: 'Ada Lovelace',
  order: 'A-1042',
  amount: 120,
  reason: 'The parcel arrived damaged.',
};

export const SAMPLE = `# A refund, with a person in the middle. Its units stand in for yours.
apiVersion: flowgate/v1
kind: Workflow
metadata:
  id: ${SAMPLE_ID}
  description: Checks a receipt and the stock, asks a person, and pays back.
spec:
  input:
    type: object
    required: [customer, order, amount]
    properties:
      customer: { type: string, minLength: 1, description: Who gets the money }
      order: { type: string, description: The number on the receipt }
      amount: { type: number, minimum: 0.01, maximum: 5000, description: In euros }
      reason: { type: string, description: As the customer says it }
  units:
    - id: receipt
      uses: builtin.mock
      config: { delayMs: 1200, response: { found: true, paid: '\${{ input.amount }}' } }
    - id: stock
      uses: builtin.mock
      config: { delayMs: 2000, response: { back: true, condition: damaged } }
    - id: approve
      uses: builtin.approval
      config:
        title: Pay \${{ input.amount }} € back to \${{ input.customer }}?
        description: The receipt was found, and the parcel came back damaged.
        payload:
          order: \${{ input.order }}
          amount: \${{ input.amount }}
          reason: \${{ input.reason }}
          condition: \${{ outputs.stock.condition }}
        timeout: P3D
    - id: pay
      uses: builtin.mock
      config: { delayMs: 800, response: { transfer: TR-7781 } }
    - id: notify
      uses: builtin.mock
      config: { delayMs: 400, response: sent }
  flow:
    type: sequential
    order:
      - { type: parallel, units: [receipt, stock] }
      - approve
      - pay
      - notify
`;
