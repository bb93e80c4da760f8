#include "textflag.h"

// Vector lanes are targets; the inner loop broadcasts one source after the other. So every target adds its sources in
// slot order, as the Go kernel does, and no horizontal sum is needed.
//
// float32: 1/r³ comes from the 12-bit estimate y ≈ 1/√(r²) and one third-order correction. With e = 1 − r²·y²,
//
//	(r²)^(−3/2) = y³ · (1 − e)^(−3/2) = y³ · (1 + 3/2·e + 15/8·e²) + O(35/16·e³)
//
// The estimate is good to 1.5·2⁻¹², so |e| < 7.4e−4 and the dropped term is below 1e−9, a hundredth of a float32
// rounding: what remains are some eight roundings of 2⁻²⁴. It costs half the cycles of a square root and a division.
// Vendors' estimates differ in their last bits, and so may this kernel's results between processor families.
//
// float64: a correctly rounded square root and division; all processors agree.
//
// Registers, both kernels:
//	Y0-Y2 sums   Y3-Y5 targets x y z   Y6 softening²   Y7 least   Y11-Y13 differences   Y14-Y15, Y8 scratch
//	DI forces   SI targets   R8-R11 sources x y z mass   DX stride in bytes   AX target offset   CX source offset

DATA one32<>+0(SB)/4, $1.0
DATA one32<>+4(SB)/4, $1.0
DATA one32<>+8(SB)/4, $1.0
DATA one32<>+12(SB)/4, $1.0
DATA one32<>+16(SB)/4, $1.0
DATA one32<>+20(SB)/4, $1.0
DATA one32<>+24(SB)/4, $1.0
DATA one32<>+28(SB)/4, $1.0
GLOBL one32<>(SB), RODATA|NOPTR, $32

DATA correction32<>+0(SB)/4, $1.5
DATA correction32<>+4(SB)/4, $1.875
GLOBL correction32<>(SB), RODATA|NOPTR, $8

// func addForces32AVX2(forces, targets, sources *float32, stride int, softening2, least float32)
TEXT ·addForces32AVX2(SB), NOSPLIT, $0-40
	MOVQ forces+0(FP), DI
	MOVQ targets+8(FP), SI
	MOVQ sources+16(FP), R8
	MOVQ stride+24(FP), DX
	SHLQ $2, DX
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	LEAQ (R10)(DX*1), R11
	LEAQ (SI)(DX*1), R12
	LEAQ (R12)(DX*1), R13
	LEAQ (DI)(DX*1), BX
	LEAQ (BX)(DX*1), R15
	VBROADCASTSS softening2+32(FP), Y6
	VBROADCASTSS least+36(FP), Y7
	VBROADCASTSS correction32<>+0(SB), Y9
	VBROADCASTSS correction32<>+4(SB), Y10
	XORQ AX, AX

targets32:
	VMOVUPS (SI)(AX*1), Y3
	VMOVUPS (R12)(AX*1), Y4
	VMOVUPS (R13)(AX*1), Y5
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	XORQ CX, CX

sources32:
	VBROADCASTSS (R8)(CX*1), Y11
	VBROADCASTSS (R9)(CX*1), Y12
	VBROADCASTSS (R10)(CX*1), Y13
	VSUBPS Y3, Y11, Y11               // dx = source − target
	VSUBPS Y4, Y12, Y12
	VSUBPS Y5, Y13, Y13
	VMOVAPS Y6, Y14
	VFMADD231PS Y11, Y11, Y14
	VFMADD231PS Y12, Y12, Y14
	VFMADD231PS Y13, Y13, Y14         // r²
	VRSQRTPS Y14, Y15
	VCMPPS $0x1e, Y7, Y14, Y8         // r² > least
	VANDPS Y8, Y15, Y15               // y, zero for a coincident pair: no infinity gets any further
	VMULPS Y15, Y14, Y14              // r²·y
	VFNMADD213PS one32<>(SB), Y15, Y14 // e = 1 − r²·y²
	VMOVAPS Y9, Y8
	VFMADD231PS Y10, Y14, Y8          // 3/2 + 15/8·e
	VMULPS Y14, Y8, Y8                // q = e·(3/2 + 15/8·e)
	VBROADCASTSS (R11)(CX*1), Y14
	VMULPS Y15, Y14, Y14              // m·y
	VMULPS Y15, Y15, Y15              // y²
	VMULPS Y15, Y14, Y14              // m·y³
	VFMADD231PS Y8, Y14, Y14          // m·y³·(1 + q)
	VFMADD231PS Y14, Y11, Y0
	VFMADD231PS Y14, Y12, Y1
	VFMADD231PS Y14, Y13, Y2
	ADDQ $4, CX
	CMPQ CX, DX
	JLT sources32

	VADDPS (DI)(AX*1), Y0, Y0
	VADDPS (BX)(AX*1), Y1, Y1
	VADDPS (R15)(AX*1), Y2, Y2
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y1, (BX)(AX*1)
	VMOVUPS Y2, (R15)(AX*1)
	ADDQ $32, AX
	CMPQ AX, DX
	JLT targets32
	VZEROUPPER
	RET

// func addForces64AVX2(forces, targets, sources *float64, stride int, softening2, least float64)
TEXT ·addForces64AVX2(SB), NOSPLIT, $0-48
	MOVQ forces+0(FP), DI
	MOVQ targets+8(FP), SI
	MOVQ sources+16(FP), R8
	MOVQ stride+24(FP), DX
	SHLQ $3, DX
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	LEAQ (R10)(DX*1), R11
	LEAQ (SI)(DX*1), R12
	LEAQ (R12)(DX*1), R13
	LEAQ (DI)(DX*1), BX
	LEAQ (BX)(DX*1), R15
	VBROADCASTSD softening2+32(FP), Y6
	VBROADCASTSD least+40(FP), Y7
	XORQ AX, AX

targets64:
	VMOVUPD (SI)(AX*1), Y3
	VMOVUPD (R12)(AX*1), Y4
	VMOVUPD (R13)(AX*1), Y5
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	XORQ CX, CX

sources64:
	VBROADCASTSD (R8)(CX*1), Y11
	VBROADCASTSD (R9)(CX*1), Y12
	VBROADCASTSD (R10)(CX*1), Y13
	VSUBPD Y3, Y11, Y11
	VSUBPD Y4, Y12, Y12
	VSUBPD Y5, Y13, Y13
	VMOVAPD Y6, Y14
	VFMADD231PD Y11, Y11, Y14
	VFMADD231PD Y12, Y12, Y14
	VFMADD231PD Y13, Y13, Y14         // r²
	VCMPPD $0x1e, Y7, Y14, Y8         // r² > least
	VSQRTPD Y14, Y15
	VMULPD Y15, Y14, Y14              // r³
	VBROADCASTSD (R11)(CX*1), Y15
	VDIVPD Y14, Y15, Y15              // m/r³
	VANDPD Y8, Y15, Y15               // zero for a coincident pair, whatever 0/0 or m/0 gave
	VFMADD231PD Y15, Y11, Y0
	VFMADD231PD Y15, Y12, Y1
	VFMADD231PD Y15, Y13, Y2
	ADDQ $8, CX
	CMPQ CX, DX
	JLT sources64

	VADDPD (DI)(AX*1), Y0, Y0
	VADDPD (BX)(AX*1), Y1, Y1
	VADDPD (R15)(AX*1), Y2, Y2
	VMOVUPD Y0, (DI)(AX*1)
	VMOVUPD Y1, (BX)(AX*1)
	VMOVUPD Y2, (R15)(AX*1)
	ADDQ $32, AX
	CMPQ AX, DX
	JLT targets64
	VZEROUPPER
	RET
